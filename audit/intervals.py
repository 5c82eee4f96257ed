"""Confidence intervals for a handful of runs.

Runs of one measurement are taken as independent and about normal, which the intervals of the mean
and of the coefficient of variation need; the bootstrap needs only independence, and with five runs
it is a little too narrow.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

MOST_RUNS = 200
"""Nobody repeats a run more often to settle a verdict."""


@dataclass(frozen=True)
class Interval:
    """From ``low`` to ``high``, in the unit of the values."""

    low: float
    high: float

    def holds(self, value: float) -> bool:
        """Whether ``value`` lies inside, so that the two can't be told apart."""
        return self.low <= value < self.high


def mean_interval(values: Sequence[float], confidence: float) -> Interval:
    """Student's t interval of the mean of at least two rates or times.

    It is cut at 0: the mean of what can't be negative isn't either, so nothing is lost of the
    confidence.
    """
    from scipy.special import stdtrit

    count, mean = len(values), statistics.fmean(values)
    reach = float(stdtrit(count - 1, (1 + confidence) / 2))
    reach *= statistics.stdev(values) / math.sqrt(count)
    return Interval(max(0.0, mean - reach), mean + reach)


def cv_interval(cv_percent: float, count: int, confidence: float) -> Interval:
    """Interval of the coefficient of variation of ``count`` normal values, in percent.

    The chi-square interval of the standard deviation over the mean, whose own error is of second
    order while the coefficient is below about 30 %.
    """
    from scipy.special import chdtri

    tail, free = (1 - confidence) / 2, count - 1
    low, high = (math.sqrt(free / float(chdtri(free, share))) for share in (tail, 1 - tail))
    return Interval(cv_percent * low, cv_percent * high)


def runs_to_decide(
    cv_percent: float, count: int, limit_percent: float, confidence: float
) -> int | None:
    """The runs in all that put ``limit_percent`` outside the interval, if the coefficient stays.

    ``count`` where it is outside already; None where even :data:`MOST_RUNS` leave it inside.
    """
    for runs in range(count, MOST_RUNS + 1):
        if not cv_interval(cv_percent, runs, confidence).holds(limit_percent):
            return runs
    return None


def bootstrap_interval(
    values: Sequence[float], confidence: float, resamples: int, seed: int
) -> Interval:
    """Percentile bootstrap interval of the mean; the same for the same seed."""
    drawn = np.random.default_rng(seed).choice(np.asarray(values), (resamples, len(values)))
    shares = ((1 - confidence) / 2, (1 + confidence) / 2)
    low, high = np.quantile(drawn.mean(axis=1), shares).tolist()
    return Interval(low, high)
