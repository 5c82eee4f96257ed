"""Early stopping: how many queries a tail latency needs before it can be trusted.

With t late queries among n = h + t, LoadGen lets a run stop when the regularised incomplete beta
function I(p; h, t + 1) is at most 1 - 0.99, with p the percentile: then the share of late queries
is below 1 - p with 99 % confidence. It is the chance that so few of n queries are late where each
is with the chance 1 - p, and is added up here term by term, in a fraction of the time in which a
library with that function is loaded. Source: LoadGen's early_stopping.cc and MLCommons' "Early
Stopping" rule of MLPerf Inference.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, floor, lgamma, log, sqrt

CONFIDENCE = 0.99
_QUANTILE = -2.3263478740408408
"""Of a normal distribution, at 1 - CONFIDENCE."""
_NEXT_TO_IMPOSSIBLE = 9
"""Standard deviations below the mean, where all chances together are less than 1e-17."""
_WIDE = 300
"""Standard deviation in queries from which the binomial distribution is a normal one with its
skewness, to less than a query (Cornish and Fisher), and has too many terms to add."""
ESTIMATE_LATE = 1
"""SingleStream and MultiStream discard at least this many queries to estimate their latency."""


def passes(percentile: float, in_time: int, late: int) -> bool:
    """Whether ``late`` late queries beside ``in_time`` others let a run stop."""
    return late <= _most_late(percentile, in_time + late)


@lru_cache(maxsize=1024)
def min_queries(percentile: float, late: int) -> int:
    """The fewest queries in all of which ``late`` may be late. ValueError outside (0, 1) or < 0."""
    if not 0 < percentile < 1 or late < 0:
        raise ValueError(f"no early stopping for percentile {percentile} and {late} late queries")
    high = 1
    while not passes(percentile, high, late):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if passes(percentile, middle, late) else (middle, high)
    return high + late


def late_allowed(percentile: float, processed: int) -> int | None:
    """The most late queries among ``processed`` that still pass; None where not even 0 does."""
    most = _most_late(percentile, processed)
    return most if most >= 0 else None


@lru_cache(maxsize=1024)
def _most_late(percentile: float, processed: int) -> int:
    """The most late queries that pass; -1 where not even 0 does."""
    share = 1 - percentile
    spread = sqrt(processed * share * percentile)
    if spread > _WIDE:
        skewness = (_QUANTILE**2 - 1) * (1 - 2 * share) / 6
        return floor(processed * share + _QUANTILE * spread + skewness - 0.5)
    late = max(0, int(processed * share - _NEXT_TO_IMPOSSIBLE * spread))
    term = _chance(percentile, processed, late)
    chance = term
    while chance <= 1 - CONFIDENCE:
        term *= share / percentile * (processed - late) / (late + 1)
        late, chance = late + 1, chance + term
    return late - 1


def _chance(percentile: float, processed: int, late: int) -> float:
    """That just so many are late, where each is with the chance 1 - percentile."""
    ways = lgamma(processed + 1) - lgamma(late + 1) - lgamma(processed - late + 1)
    return exp(ways + late * log(1 - percentile) + (processed - late) * log(percentile))
