"""Kinds of files that turn up in place of the one that was wanted, told by how they start.

What people really have under a file's name is often a pointer that Git LFS left behind, the web
page of an error, or an archive. The kinds are data, in foreign_files.json.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import PurePath

HEAD_BYTES = 512
"""How much of a file's start tells its kind."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Foreign:
    """A kind of file, with words for a sentence about it."""

    starts: bytes
    found: str
    fix: str
    suffixes: tuple[str, ...]
    """Endings of the names under which this kind is no surprise."""


def foreign_kind(head: bytes, name: str) -> Foreign | None:
    """The known kind that the first bytes ``head`` of a file show, if ``name`` promises another.

    A byte-order mark, white space and the case of letters don't matter.
    """
    start = head[:HEAD_BYTES].removeprefix(_BYTE_ORDER_MARK).lstrip().lower()
    suffix = PurePath(name).suffix.lower()
    for kind in _kinds():
        if start.startswith(kind.starts) and suffix not in kind.suffixes:
            return kind
    return None


@cache
def _kinds() -> tuple[Foreign, ...]:
    rows = json.loads(files("datasets.disk").joinpath("foreign_files.json").read_text("utf-8"))
    return tuple(
        Foreign(row["starts"].encode("latin-1"), row["found"], row["fix"], tuple(row["suffixes"]))
        for row in rows
    )
