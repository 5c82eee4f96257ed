"""Early stopping: how many queries a tail latency needs before it can be trusted.

With t late queries among n = h + t, LoadGen lets a run stop when the regularised incomplete beta
function I(p; h, t + 1) is at most 1 - 0.99, with p the percentile: then the share of late queries
is below 1 - p with 99 % confidence. Source: LoadGen's early_stopping.cc and MLCommons' "Early
Stopping" rule of MLPerf Inference.
"""

from __future__ import annotations

from functools import lru_cache
from math import sqrt

CONFIDENCE = 0.99
_DEVIATIONS = 2.33
"""How far that confidence reaches in a normal distribution."""
ESTIMATE_LATE = 1
"""SingleStream and MultiStream discard at least this many queries to estimate their latency."""


def passes(percentile: float, in_time: int, late: int) -> bool:
    """Whether ``late`` late queries beside ``in_time`` others let a run stop."""
    from scipy.special import betainc

    return bool(in_time > 0 and betainc(in_time, late + 1, percentile) <= 1 - CONFIDENCE)


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


@lru_cache(maxsize=1024)
def late_allowed(percentile: float, processed: int) -> int | None:
    """The most late queries among ``processed`` that still pass; None where not even 0 does."""
    if not passes(percentile, processed, 0):
        return None
    low, high = _around(percentile, processed)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (
            (middle, high) if passes(percentile, processed - middle, middle) else (low, middle)
        )
    return low


def _around(percentile: float, processed: int) -> tuple[int, int]:
    """Numbers of late queries of which the first passes and the second doesn't, near to each other:
    those of a normal distribution are nearly right. None late must pass."""
    mean, spread = processed * (1 - percentile), sqrt(processed * percentile * (1 - percentile))
    high = min(max(0, round(mean - _DEVIATIONS * spread)), processed - 1)
    low, step = high - 1, 1
    while passes(percentile, processed - high, high):
        low, high, step = high, min(processed, high + step), 2 * step
    while low > 0 and not passes(percentile, processed - low, low):
        low, high, step = max(0, low - step), low, 2 * step
    return low, high
