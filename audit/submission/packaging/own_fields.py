"""What only the submitter knows: fields of the system and of the measurements, from one JSON file.

    {"status": "available", "cooling": "air", …,
     "measurements": {"bert": {"retraining": "no", …}}}

An empty value says nothing, so that a template may be filled in bit by bit.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from audit import schema
from audit.rules import common_rules
from datasets.errors import EvidenceError, UsageError

MEASUREMENTS = "measurements"

Value = str | int | float | bool


@dataclass(frozen=True)
class Unknown:
    """A field that a submission demands and nobody has given."""

    file: str
    """Relative to the submitter's folder."""
    field: str
    hint: str = ""
    benchmark: str = ""
    """Of a field of the measurements, as loadproof calls it."""


@dataclass(frozen=True)
class OwnFields:
    """Only what has a value."""

    system: Mapping[str, Value] = field(default_factory=dict)
    measurements: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By benchmark, as loadproof calls it."""


def read_own_fields(path: Path) -> OwnFields:
    """The fields in ``path``; UsageError names what can't be read, and unknown names."""
    try:
        document = dict(schema.read(path, "own-fields"))
    except EvidenceError as error:
        raise UsageError(str(error)) from error
    measurements = document.pop(MEASUREMENTS, {})
    _require_known(document, system_fields(), path)
    for fields in measurements.values():
        _require_known(fields, common_rules()["measurement_fields"], path)
    return OwnFields(
        _given(document), {name: _given(fields) for name, fields in measurements.items()}
    )


def system_fields() -> list[str]:
    """Every field that the description of a system may have."""
    common = common_rules()
    kinds = ("system_fields", "system_fields_power", "system_fields_network")
    return [name for kind in kinds for name in common[kind]]


def template(unknown: Iterable[Unknown]) -> dict[str, Any]:
    """A file to fill in: the unknown fields of the system, and of the measurements if there are."""
    fields = set(system_fields())
    document: dict[str, Any] = {}
    for one in unknown:
        if one.benchmark:
            asked = document.setdefault(MEASUREMENTS, {}).setdefault(one.benchmark, {})
            asked[one.field] = ""
        elif one.field in fields:
            document[one.field] = ""
    return document


def _given(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value != ""}


def _require_known(fields: Iterable[str], known: list[str], path: Path) -> None:
    wrong = list(_wrong(fields, known))
    if wrong:
        raise UsageError(f"{path} has {'; '.join(wrong)}.")


def _wrong(fields: Iterable[str], known: list[str]) -> Iterator[str]:
    for name in fields:
        if name not in known:
            nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.0)[0]
            yield f"no field that a submission knows in {name!r}, the nearest is {nearest!r}"
