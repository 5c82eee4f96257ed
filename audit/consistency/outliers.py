"""Runs that lie apart from the others.

With five runs the median absolute deviation is too coarse a yardstick: to stay at 5 % false alarms
it must reach so far that it misses one run in six that is 15 times the noise away. So the runs that
lie farthest from the median are taken off one by one and each is tested against those that remain
(Rosner's generalised extreme Studentised deviate; with one run taken off it is Grubbs' test, exact
at any number of runs). Up to a quarter of the runs may be outliers without hiding each other.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

FEWEST = 4
"""Runs; with fewer, the rest have no spread worth the name."""


def outliers(values: Sequence[float], significance: float) -> tuple[int, ...]:
    """Positions of the outliers, the farthest first. ``significance`` is that of the whole test."""
    if len(values) < FEWEST:
        return ()
    median = statistics.median(values)
    order = sorted(range(len(values)), key=lambda at: -abs(values[at] - median))
    found = 0
    for taken in range(1, max(1, len(values) // 4) + 1):
        rest = [values[at] for at in order[taken:]]
        if stands_apart(values[order[taken - 1]], rest, significance):
            found = taken
    return tuple(order[:found])


def stands_apart(value: float, rest: Sequence[float], significance: float) -> bool:
    """Whether ``value``, the farthest of all, is too far from ``rest`` to be one of them."""
    from scipy.special import stdtrit

    distance, spread = abs(value - statistics.fmean(rest)), statistics.stdev(rest)
    if not spread:
        return distance > 0
    count = len(rest) + 1
    critical = float(stdtrit(count - 2, 1 - significance / (2 * count)))
    return distance / (spread * math.sqrt(1 + 1 / len(rest))) > critical
