"""Which of several repeats stands for them all, in a submission and beside compliance tests."""

from __future__ import annotations

from collections.abc import Iterable

from audit.verdicts import RunVerdict


def representative(runs: Iterable[RunVerdict], *, higher_is_better: bool) -> RunVerdict | None:
    """The good run with the median value, of two in the middle the worse one; None without any.

    A submission holds a single performance run. Taking the best would tell of luck, not of the
    system.
    """
    measured = [(run.metric.value, run) for run in runs if run.good and run.metric]
    ordered = sorted(measured, key=lambda one: one[0], reverse=higher_is_better)
    return ordered[len(ordered) // 2][1] if ordered else None
