"""Checking a submission: from what the user asked for to a verdict, and the files that tell it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from datasets.errors import UsageError
from datasets.files import atomic_write, write_json

if TYPE_CHECKING:
    from audit.submission.check import Checked
    from audit.submission.choice import Choice
    from audit.submission.tree import Submission

QUIET_S = 2.0
"""A check that takes no longer is not talked about."""


@dataclass(frozen=True)
class CheckRequest:
    """What is to be checked, and by which rules."""

    tree: Path
    round: str | None
    submitter: str | None = None
    only: Sequence[str] = ()
    ignored: Sequence[str] = ()

    def read(self) -> Submission:
        """The submission as it lies there. UsageError where no round is named, or none there is."""
        from audit.rules import round_names
        from audit.submission.reading import read_submission

        if self.round is None:
            known = ", ".join(round_names())
            raise UsageError(
                f"Every round has its own rules: name it with --round; known are {known}."
            )
        return read_submission(self.tree, self.round, self.submitter)

    def choice(self) -> Choice:
        """The rules to ask. UsageError where one of the names makes no sense."""
        from audit.submission.choice import choose

        return choose(self.only, self.ignored)


@dataclass(frozen=True)
class Reports:
    """The files that are to tell of a check."""

    json: Path | None = None
    csv: Path | None = None
    sarif: Path | None = None

    def write(self, checked: Checked) -> None:
        """Write those that were asked for."""
        if self.json:
            _write_json(checked, self.json)
        if self.csv:
            from audit.submission.csv_table import csv_table

            with atomic_write(self.csv) as file:
                file.write(csv_table(checked).encode())
        if self.sarif:
            from audit.submission.sarif import sarif_document

            write_json(self.sarif, sarif_document(checked, version("loadproof")))


def _write_json(checked: Checked, path: Path) -> None:
    from audit import schema
    from audit.submission.document import check_document

    at = datetime.now(timezone.utc).isoformat(timespec="seconds")
    made = check_document(checked, at)
    schema.require(made, "submission-check", "the check of the submission")
    write_json(path, made)


def run_check(request: CheckRequest, count: Callable[[int, int], None]) -> Checked:
    """Check over all usable cores; ``count`` is told how many parts are done, of how many, as soon
    as that has taken a while."""
    from audit.submission.check import check
    from harness.running.parallel import run_tasks

    choice, began = request.choice(), time.monotonic()

    def progress(done: int, total: int) -> None:
        if time.monotonic() - began > QUIET_S:
            count(done, total)

    return check(request.read(), choice, lambda tasks: run_tasks(tasks, progress))
