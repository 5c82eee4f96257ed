"""What the commands about finished measurements do. Each returns an exit code."""

from __future__ import annotations

import sys
from pathlib import Path

from datasets.errors import UsageError
from harness import exits


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")


def show_command(path: Path, form: str) -> int:
    """A result in one of several forms, on standard output."""
    from audit.result import read_result
    from harness.report.result import FORMATS, render

    if form not in FORMATS:
        raise UsageError(f"There is no format {form!r}; the formats are {', '.join(FORMATS)}.")
    _say(render(read_result(path), form))
    return exits.FINE
