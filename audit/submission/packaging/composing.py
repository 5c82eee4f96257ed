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
from audit.submission.packaging.description import merged, unknown_fields
from audit.submission.packaging.facts import system_facts
from audit.submission.packaging.measurements import measurements_of
from audit.submission.packaging.own_fields import Unknown, Value
from audit.submission.packaging.pieces import README, document_bytes, entry_pieces
from audit.submission.packaging.place import Piece, Place
from audit.submission.packaging.request import Request
from audit.submission.packaging.systems import System
from datasets.errors import UsageError

CALIBRATION = "calibration.md"


@dataclass(frozen=True)
class Composition:
    """What is to be written, what is missing in it, and what there is to say about it."""

    places: tuple[Place, ...]
    """Of the entries."""
    pieces: tuple[Piece, ...]
    unknown: tuple[Unknown, ...]
    notes: tuple[str, ...]


def compose(systems: Sequence[System], request: Request, rules: Round, folder: Path) -> Composition:
    """Compose ``systems`` for the submitter's ``folder``; what a description there says is kept."""
    parts = [_system(system, request, rules, folder) for system in systems]
    everything = [chosen for system in systems for chosen, _ in system.entries]
    parts.append(_calibration(everything, request.division))
    return Composition(
        places=tuple(place for system in systems for _, place in system.entries),
        pieces=tuple(piece for part in parts for piece in part.pieces),
        unknown=tuple(one for part in parts for one in part.unknown),
        notes=tuple(note for part in parts for note in part.notes),
    )


@dataclass(frozen=True)
class _Part:
    pieces: tuple[Piece, ...] = ()
    unknown: tuple[Unknown, ...] = ()
    notes: tuple[str, ...] = ()


def _system(system: System, request: Request, rules: Round, folder: Path) -> _Part:
    path = f"systems/{system.name}.json"
    there = _there(folder / path, system)
    facts = system_facts(system.first)
    told = (there, facts) if request.replace else (facts, there)
    name = system.display_name or there.get("system_name") or system.title
    fixed = {
        "division": request.division,
        "submitter": request.submitter_folder,
        "system_type": system.system_type,
        "system_name": name,
    }
    description = merged(*told, request.own.system, fixed)
    parts = [_entry(str(name), one, place, request, rules) for one, place in system.entries]
    return _Part(
        pieces=(
            Piece(path, document_bytes(description)),
            *(piece for part in parts for piece in part.pieces),
        ),
        unknown=(
            *unknown_fields(description, path),
            *(one for part in parts for one in part.unknown),
        ),
        notes=tuple(_kept(path, facts, description, request.own.system)),
    )


def _there(path: Path, system: System) -> Mapping[str, Any]:
    """What an earlier package or the submitter wrote. EvidenceError where it can't be read;
    UsageError where it is of another type of system, by which other entries may stand."""
    there = schema.load(path) if path.exists() else {}
    if not isinstance(there, dict):
        return {}
    known = there.get("system_type", "")
    if known not in {"", system.system_type}:
        raise UsageError(
            f"{path} describes a system of the type {known}, but the evidence is of the type "
            f"{system.system_type}; name another system with --system-name."
        )
    return there


def _kept(
    path: str, facts: Mapping[str, Value], made: Mapping[str, Value], own: Mapping[str, Value]
) -> Iterator[str]:
    """What stands in the description although the evidence tells otherwise, and nobody said so."""
    for name, fact in facts.items():
        if fact not in {"", made[name]} and name not in own:
            yield f"{path} keeps {name} as {made[name]}, where the evidence has {fact}"


def _entry(name: str, chosen: Chosen, place: Place, request: Request, rules: Round) -> _Part:
    own = request.own.measurements.get(chosen.plan.benchmark, {})
    measurements = measurements_of(chosen, own)
    readme = wording.entry_readme(chosen, place, request.division, name)
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
        unknown=(unknown,) if any(wording.calibration_unknown(one) for one in chosen) else (),
    )
