"""How far a score may lie from the one that the model has on all data of this kind.

The samples of a dataset are taken as drawn from such data. The interval is Wilson's (1927) for
shares, which keeps within 0 and 100 and has a width also where every answer is right. Scores
between right and wrong vary less than shares do, so each counts as more than one sample: the
effective sample size that surveys are judged by (Kish 1965; Korn and Graubard 1998).
"""

from __future__ import annotations

import math
from statistics import NormalDist

from audit.intervals import Interval

CONFIDENCE = 0.95


def share_interval(percent: float, total: int, stdev: float | None = None) -> Interval:
    """Wilson's interval of a score of ``percent``, the mean over ``total`` samples.

    ``stdev`` is the standard deviation over the samples, out of 100 as the score is; None where
    each is right or wrong. Scores of 0 and 100 are ends of their own intervals, exactly.
    """
    share = percent / 100
    count = total * _effective(share, None if stdev is None else stdev / 100)
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    reach = math.sqrt(share * (1 - share) / count + (z / (2 * count)) ** 2)
    reach *= z / (1 + z * z / count)
    low = 0.0 if share == 0 else max(0.0, middle - reach)
    high = 1.0 if share == 1 else min(1.0, middle + reach)
    return Interval(100 * low, 100 * high)


def _effective(share: float, stdev: float | None) -> float:
    """How many right-or-wrong samples say as much as one of these; never fewer than one."""
    variance = stdev**2 if stdev else 0.0
    return max(1.0, share * (1 - share) / variance) if variance else 1.0
