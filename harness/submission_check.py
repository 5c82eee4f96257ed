"""Checking a submission: from what the user asked for to a verdict."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from datasets.errors import UsageError

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
        """The submission as it lies there. UsageError where no round is named, or none there is,
        and where the folder is a part of a submission or holds several."""
        from audit.rules import round_names
        from audit.submission.misplaced import misplaced
        from audit.submission.reading import read_submission

        if self.round is None:
            known = ", ".join(round_names())
            raise UsageError(
                f"Every round has its own rules: name it with --round; known are {known}."
            )
        submission = read_submission(self.tree, self.round, self.submitter)
        wrong = misplaced(submission.tree)
        if wrong is not None:
            raise UsageError(wrong)
        return submission

    def choice(self) -> Choice:
        """The rules to ask. UsageError where one of the names makes no sense."""
        from audit.submission.choice import choose

        return choose(self.only, self.ignored)


def run_check(request: CheckRequest, count: Callable[[int, int], None]) -> Checked:
    """Check over all usable cores; ``count`` is told how many parts are done, of how many, as soon
    as that has taken a while."""
    from audit.submission.check import check
    from harness.running.parallel import run_tasks

    choice, began = request.choice(), time.monotonic()

    def progress(done: int, total: int) -> None:
        if time.monotonic() - began > QUIET_S:
            count(done, total)

    with _no_search_for_garbage():
        return check(request.read(), choice, lambda tasks: run_tasks(tasks, progress))


@contextmanager
def _no_search_for_garbage() -> Iterator[None]:
    """A check leaves nothing in circles; looking for them among so much that stays costs a tenth.

    The processes that are split off inherit it.
    """
    searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searching:
            gc.enable()
