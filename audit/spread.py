"""How far repeats of one measurement lie apart. Says nothing of whether that is good enough."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Spread:
    """Of at least one value; all in the unit of the values but ``cv_percent``."""

    median: float
    mean: float
    stdev: float | None
    """Of the sample (n - 1); None for a single value."""
    cv_percent: float | None
    """Standard deviation over mean; None where either is not defined."""


def spread(values: Sequence[float]) -> Spread | None:
    """The spread of ``values``, or None where there are none."""
    if not values:
        return None
    mean = statistics.fmean(values)
    stdev = statistics.stdev(values) if len(values) > 1 else None
    return Spread(
        median=statistics.median(values),
        mean=mean,
        stdev=stdev,
        cv_percent=None if stdev is None or not mean else 100 * stdev / mean,
    )
