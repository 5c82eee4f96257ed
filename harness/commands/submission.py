"""What the commands about submissions do. Each returns an exit code."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from datasets.errors import UsageError
from harness import exits
from harness.check_files import Reports
from harness.commands.terminal import say
from harness.submission_check import CheckRequest, run_check

if TYPE_CHECKING:
    from audit.submission.check import Checked
    from harness.running.display import Display


def check_command(request: CheckRequest, reports: Reports, explained: str | None) -> int:
    """Check a submission; the table, or one entry's rules, on standard output, unless a file was
    asked for there."""
    reports.refuse_places(request.tree)
    _keep_to_one_thread()
    counting = _Counting()
    try:
        checked = run_check(request, counting)
    finally:
        counting.close()
    reports.write(checked)
    if explained is not None:
        return _explain(checked, explained, quiet=reports.on_standard_output)
    if not reports.on_standard_output:
        from harness.report.submission import render

        say(render(checked))
    return _code(checked.complete, not checked.refused)


def rules_command(name: str | None, form: str) -> int:
    """The rules of a submission, or all about one of them."""
    from audit.submission.findings import rule, rules
    from harness.report.rules import FORMATS, one_rule, render

    if form not in FORMATS:
        raise UsageError(f"There is no format {form!r}; the formats are {', '.join(FORMATS)}.")
    if name is not None and form == "plain":
        say(one_rule(rule(name)))
    else:
        say(render(tuple(rules().values()) if name is None else (rule(name),), form))
    return exits.FINE


def _explain(checked: Checked, path: str, quiet: bool) -> int:
    from audit.submission.explain import entry_at, explain
    from harness.report.explanation import render

    submission = checked.submission
    entry = entry_at(submission, _in_tree(path, submission.tree.root))
    explained = explain(checked, entry)
    if not quiet:
        say(render(explained))
    return _code(checked.complete, explained.verdict.status == "valid")


def _in_tree(path: str, root: Path) -> str:
    """``path`` relative to the tree, where it is a path that leads into it. A whole path may be
    written in another case than what is there."""
    place = Path(path).resolve()
    inside = (place.exists() or Path(path).is_absolute()) and place.is_relative_to(root)
    return str(place.relative_to(root)) if inside else path


def _code(complete: bool, fine: bool) -> int:
    if not complete:
        return exits.USAGE
    return exits.FINE if fine else exits.FINDINGS


def _keep_to_one_thread() -> None:
    """Tell numpy's library, before it is loaded, not to start threads: a check is shared out over
    processes, and only a process without threads can be split."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


class _Counting:
    """Progress on standard error, from the first count on."""

    _display: Display | None = None

    def __call__(self, done: int, total: int) -> None:
        if self._display is None:
            from harness.report.live import display_for

            self._display = display_for(Console(stderr=True))
            self._display.step("Checking")
        self._display.count(done, total, "parts")

    def close(self) -> None:
        if self._display is not None:
            self._display.close()
