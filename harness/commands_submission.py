"""What the commands about submissions do. Each returns an exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from datasets.errors import UsageError
from harness import exits

if TYPE_CHECKING:
    from audit.submission.check import Checked
    from audit.submission.tree import Submission


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")


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


def check_command(request: CheckRequest) -> int:
    """Check a submission; the table on standard output."""
    from audit.submission.check import check
    from audit.submission.choice import choose
    from harness.report.submission import render

    checked = check(request.read(), choose(request.only, request.ignored))
    _say(render(checked))
    return _code(checked)


def _code(checked: Checked) -> int:
    if not checked.complete:
        return exits.USAGE
    return exits.FINE if checked.accepted else exits.FINDINGS
