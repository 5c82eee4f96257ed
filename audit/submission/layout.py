"""Where a round's submission keeps what: the two layouts, as ``layouts.json`` holds them."""

from __future__ import annotations

import json
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
    table: Any = json.loads((Path(__file__).parent / "layouts.json").read_text("utf-8"))
    name = table["rounds"].get(round_name)
    if name is None:
        known = ", ".join(table["rounds"])
        raise UsageError(f"No layout is known for round {round_name!r}; known are {known}.")
    entry = table["layouts"][name]
    return Layout(
        name=name,
        code=entry["code"],
        results=entry["results"],
        measurements=entry["measurements"],
        compliance=entry["compliance"],
        measurements_files=tuple(entry["measurements_files"]),
        submitter_folders=tuple(entry["submitter_folders"]),
    )
