"""Where a round's submission keeps what: the two layouts, as ``layouts.json`` holds them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from datasets.errors import UsageError


@dataclass(frozen=True)
class Layout:
    """Folders of a submitter; ``{system}``, ``{benchmark}`` and ``{scenario}`` stand for names."""

    name: str
    code: str
    results: str
    measurements: str
    compliance: str
    measurements_files: tuple[str, ...]
    """What the file of measurements may be called; the first is how it is written."""
    submitter_folders: tuple[str, ...]


@cache
def layout_of(round_name: str) -> Layout:
    """The layout of a round; UsageError for a round that none is known for."""
    rounds = _table()["rounds"]
    if round_name not in rounds:
        known = ", ".join(rounds)
        raise UsageError(f"No layout is known for round {round_name!r}; known are {known}.")
    return _layouts()[rounds[round_name]]


def other_folders(layout: Layout) -> tuple[str, ...]:
    """Folders of a submitter that only other layouts have: they tell that a tree is of another."""
    every = {name for other in _layouts().values() for name in other.submitter_folders}
    return tuple(sorted(every - set(layout.submitter_folders)))


@cache
def _layouts() -> Mapping[str, Layout]:
    return {
        name: Layout(
            name=name,
            code=entry["code"],
            results=entry["results"],
            measurements=entry["measurements"],
            compliance=entry["compliance"],
            measurements_files=tuple(entry["measurements_files"]),
            submitter_folders=tuple(entry["submitter_folders"]),
        )
        for name, entry in _table()["layouts"].items()
    }


def _table() -> Any:
    return json.loads((Path(__file__).parent / "layouts.json").read_text("utf-8"))
