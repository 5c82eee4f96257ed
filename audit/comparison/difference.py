"""How far two series of repeats lie apart, and whether that is more than noise.

The difference is that of the logarithms of the repeats (Welch's t test), which is a ratio: it reads
the same for rates and latencies, and from A to B as from B to A.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from audit.intervals import Interval

CONFIDENCE = 0.95
METHOD = "Welch's t test of the logarithms of the repeats"
_LARGEST_CHANGE = 690.0
"""A difference of logarithms beyond which no ratio can be written down."""


@dataclass(frozen=True)
class Difference:
    """From the first to the second, in percent of the first."""

    percent: float
    """Of the geometric means of the repeats."""
    interval: Interval | None
    """None where either has a single run."""
    p: float | None
    """How often noise alone would show as much."""

    @property
    def significant(self) -> bool:
        return self.interval is not None and not self.interval.low <= 0 <= self.interval.high


def difference(first: Sequence[float], second: Sequence[float]) -> Difference:
    """The ratio of two series of positive values, as a change in percent, with its interval.

    Source: B. L. Welch, Biometrika 34 (1947), with the degrees of freedom of Satterthwaite.
    """
    from scipy.special import stdtr, stdtrit

    logs = [[math.log(value) for value in values] for values in (first, second)]
    change = statistics.fmean(logs[1]) - statistics.fmean(logs[0])
    if min(map(len, logs)) < 2:
        return Difference(_percent(change), None, None)
    shares = [statistics.variance(values) / len(values) for values in logs]
    error = math.sqrt(sum(shares))
    if not error:
        exact = _percent(change)
        return Difference(exact, Interval(exact, exact), 0.0 if change else 1.0)
    free = sum(shares) ** 2 / sum(
        share**2 / (len(values) - 1) for share, values in zip(shares, logs, strict=True)
    )
    reach = float(stdtrit(free, (1 + CONFIDENCE) / 2)) * error
    interval = Interval(_percent(change - reach), _percent(change + reach))
    return Difference(_percent(change), interval, 2 * float(stdtr(free, -abs(change / error))))


def _percent(change: float) -> float:
    """Of a difference of logarithms."""
    return 100 * math.expm1(min(change, _LARGEST_CHANGE))
