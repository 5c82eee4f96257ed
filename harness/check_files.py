"""The files that are to tell of a check: where they may be, and writing them.

A wrong place is refused before anything is checked: no report may change the tree that it tells of,
and no report may take the place of another.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from datasets.disk.files import json_bytes
from datasets.disk.named_file import named_write
from datasets.errors import UsageError

if TYPE_CHECKING:
    from audit.submission.check import Checked

STANDARD_OUTPUT = Path("-")


@dataclass(frozen=True)
class Reports:
    """The files that are to tell of a check; ``-`` is standard output."""

    json: Path | None = None
    csv: Path | None = None
    sarif: Path | None = None

    @property
    def on_standard_output(self) -> bool:
        """Whether one of them goes where the table would be printed."""
        return STANDARD_OUTPUT in self._asked.values()

    @property
    def _asked(self) -> Mapping[str, Path]:
        options = {"--json": self.json, "--csv": self.csv, "--sarif": self.sarif}
        return {option: path for option, path in options.items() if path is not None}

    def refuse_places(self, tree: Path) -> None:
        """UsageError for a folder, for a place in ``tree``, and for one place of two files."""
        taken: dict[str, str] = {}
        for option, path in self._asked.items():
            place = os.path.realpath(path) if path != STANDARD_OUTPUT else str(path)
            if place in taken:
                raise UsageError(
                    f"{path} is named by {taken[place]} and {option}; give each a file of its own."
                )
            taken[place] = option
            if path != STANDARD_OUTPUT:
                _refuse(option, path, tree)

    def write(self, checked: Checked) -> None:
        """Write those that were asked for."""
        if self.json:
            _write(self.json, _json(checked))
        if self.csv:
            from audit.submission.csv_table import csv_table

            _write(self.csv, csv_table(checked).encode(errors="backslashreplace"))
        if self.sarif:
            from audit.submission.sarif import sarif_document

            _write(self.sarif, json_bytes(sarif_document(checked, version("loadproof"))))


def _refuse(option: str, path: Path, tree: Path) -> None:
    if path.is_dir():
        raise UsageError(f"{option} {path} is a folder; name a file.")
    if Path(os.path.realpath(path)).is_relative_to(os.path.realpath(tree)):
        raise UsageError(f"{option} {path} lies in the tree that is checked; name another place.")


def _json(checked: Checked) -> bytes:
    from audit import schema
    from audit.submission.document import check_document

    at = datetime.now(timezone.utc).isoformat(timespec="seconds")
    made = check_document(checked, at)
    schema.require(made, "submission-check", "the check of the submission")
    return json_bytes(made)


def _write(path: Path, content: bytes) -> None:
    if path == STANDARD_OUTPUT:
        sys.stdout.write(content.decode())
        return
    with named_write(path) as file:
        file.write(content)
