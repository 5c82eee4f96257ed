"""Everything that a package puts into a submitter's folder, before any of it is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit import schema
from audit.rules import Round
from audit.submission.files import join
from audit.submission.packaging import wording
from audit.submission.packaging.choosing import Chosen
from audit.submission.packaging.description import description_of, unknown_fields
from audit.submission.packaging.measurements import measurements_of
from audit.submission.packaging.own_fields import Unknown
from audit.submission.packaging.pieces import README, document_bytes, entry_pieces
from audit.submission.packaging.place import Piece, Place
from audit.submission.packaging.request import Request
from audit.submission.packaging.systems import System
from datasets.errors import UsageError

CALIBRATION = "calibration.md"


@dataclass(frozen=True)
class Composition:
    """What is to be written, and what is missing in it."""

    places: tuple[Place, ...]
    """Of the entries."""
    pieces: tuple[Piece, ...]
    unknown: tuple[Unknown, ...]


def compose(systems: Sequence[System], request: Request, rules: Round, folder: Path) -> Composition:
    """Compose ``systems`` for the submitter's ``folder``; what a description there says is kept."""
    parts = [_system(system, request, rules, folder) for system in systems]
    everything = [chosen for system in systems for chosen, _ in system.entries]
    parts.append(_calibration(everything, request.division))
    return Composition(
        places=tuple(place for system in systems for _, place in system.entries),
        pieces=tuple(piece for part in parts for piece in part.pieces),
        unknown=tuple(one for part in parts for one in part.unknown),
    )


@dataclass(frozen=True)
class _Part:
    pieces: tuple[Piece, ...] = ()
    unknown: tuple[Unknown, ...] = ()


def _system(system: System, request: Request, rules: Round, folder: Path) -> _Part:
    path = f"systems/{system.name}.json"
    fixed = {
        "division": request.division,
        "submitter": request.submitter_folder,
        "system_type": system.system_type,
        "system_name": system.display_name,
    }
    there = _there(folder / path, fixed)
    description = description_of(system.first, fixed, there, request.own.system)
    parts = [_entry(system, chosen, place, request, rules) for chosen, place in system.entries]
    return _Part(
        pieces=(
            Piece(path, document_bytes(description)),
            *(piece for part in parts for piece in part.pieces),
        ),
        unknown=(
            *unknown_fields(description, path),
            *(one for part in parts for one in part.unknown),
        ),
    )


def _there(path: Path, fixed: Mapping[str, Any]) -> Mapping[str, Any]:
    """What an earlier package or the submitter wrote. EvidenceError where it can't be read;
    UsageError where it is of another type of system, by which other entries may stand."""
    there = schema.load(path) if path.exists() else {}
    if not isinstance(there, dict):
        return {}
    known = there.get("system_type", "")
    if known not in {"", fixed["system_type"]}:
        raise UsageError(
            f"{path} describes a system of the type {known}, but the evidence is of the type "
            f"{fixed['system_type']}; name another system with --system-name."
        )
    return there


def _entry(system: System, chosen: Chosen, place: Place, request: Request, rules: Round) -> _Part:
    own = request.own.measurements.get(chosen.plan.benchmark, {})
    measurements = measurements_of(chosen, own)
    readme = wording.entry_readme(chosen, place, request.division, system.display_name)
    code = wording.code_readme(chosen, place.benchmark).encode()
    return _Part(
        pieces=(
            *entry_pieces(chosen, place, measurements, readme, rules.accuracy_log_max_bytes),
            Piece(join(place.layout.code, place.benchmark, README), code, keep=True),
        ),
        unknown=tuple(_empty(measurements, place.measurements_file, chosen.plan.benchmark)),
    )


def _empty(fields: Mapping[str, str], file: str, benchmark: str) -> Iterator[Unknown]:
    for name, value in fields.items():
        if not value:
            yield Unknown(file, name, benchmark=benchmark)


def _calibration(chosen: Sequence[Chosen], division: str) -> _Part:
    """Once for a submitter, in the closed division; what is there is the submitter's own."""
    if division != "closed":
        return _Part()
    unknown = Unknown(CALIBRATION, "how the weights were calibrated")
    return _Part(
        pieces=(Piece(CALIBRATION, wording.calibration(chosen).encode(), keep=True),),
        unknown=(unknown,) if any(wording.calibrated(one) for one in chosen) else (),
    )
