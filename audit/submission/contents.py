"""What the folders of a submission may hold, as ``contents.json`` and the rounds say."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from audit.rules import common_rules


@dataclass(frozen=True)
class Contents:
    """What one folder holds: names of files, but for what lies in it and is told by itself."""

    folder: str
    """Below the entry or its test; empty for that itself."""
    required: tuple[str, ...]
    optional: tuple[str, ...]

    def allows(self, name: str) -> bool:
        """Whether ``name`` is normal there."""
        return name in self.required or name in self.optional


@cache
def entry_contents() -> tuple[Contents, ...]:
    """The folders of an entry's results."""
    return _contents(_table()["entry"])


@cache
def test_contents(test: str) -> tuple[Contents, ...]:
    """The folders of a compliance test; none of a test that only its presence is known of."""
    return _contents(_table()["tests"].get(test, {}))


@cache
def names_of(kind: str) -> tuple[str, ...]:
    """A plain list of ``contents.json``: ``root``, ``submitter``, ``performance`` and so on."""
    return tuple(_table()[kind])


def _contents(folders: Mapping[str, Any]) -> tuple[Contents, ...]:
    files = common_rules()["required_files"]
    return tuple(
        Contents(folder, tuple(files[entry["required"]]), tuple(entry["optional"]))
        for folder, entry in folders.items()
    )


@cache
def _table() -> Mapping[str, Any]:
    table: Mapping[str, Any] = json.loads(
        (Path(__file__).parent / "contents.json").read_text("utf-8")
    )
    return table
