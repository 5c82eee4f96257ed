"""Numbers in the ranges that they can mean, from a detail log or from the text beside it; None for
all else that stands there."""

from __future__ import annotations

import math
import re

from audit.logs.loadgen_log import DetailLog

_MOST_QUERIES = 10**12
"""No run has more: a larger number in a log is not a count."""
_LEAST = 1e-6
"""No rate or time that is measured is smaller."""
_HIGHEST_PERCENTILE = 1 - 1e-9
_WRITTEN = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


def written(text: str) -> float | None:
    """A finite number as programs print it, in the digits 0 to 9 and with nothing between them."""
    number = float(text) if _WRITTEN.fullmatch(text) else math.inf
    return number if math.isfinite(number) else None


def positive(log: DetailLog, key: str) -> float | None:
    """A rate or a time."""
    number = log.number(key)
    return number if number is not None and number > _LEAST else None


def counted(log: DetailLog, key: str) -> int | None:
    """Queries or samples."""
    number = log.number(key)
    return int(number) if number is not None and 0 <= number <= _MOST_QUERIES else None


def percentile_share(log: DetailLog) -> float | None:
    """The share of queries that the latency speaks of."""
    share = log.number("effective_target_latency_percentile")
    return share if share is not None and 0 < share <= _HIGHEST_PERCENTILE else None


def counted_all(log: DetailLog, key: str) -> list[int]:
    """Every count logged for ``key``; none where one of them is no count."""
    values = [entry.value for entry in log.entries.get(key, ())]
    whole = [one for one in values if isinstance(one, int) and 0 <= one <= _MOST_QUERIES]
    return whole if len(whole) == len(values) else []
