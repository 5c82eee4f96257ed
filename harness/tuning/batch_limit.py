"""The largest batch that Server should make, chosen by simulating its queue.

Larger batches answer more samples a second and keep each of them longer: its own batch takes
longer, and so does the one that it waits for. Where the best lies between depends on the latency
curve, the limit and the number of streams. Below it batches adapt themselves: an idle stream takes
what waits, which is little under low load and much under high. To wait for more with an idle stream
gains nothing in the simulation: at the highest rate that holds, no stream is idle.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from harness.running.curve import LatencyCurve
from harness.tuning.queueing import sustainable_rate

_RATIO = 1.2
"""Of neighbouring sizes that are tried, where whole numbers allow it."""
_GAIN_WORTH = 1.01
"""A larger batch is preferred only where the rate grows by more than this."""
_PRECISION = 0.005
"""Of the simulated rates, so that sizes can be told apart."""


@lru_cache(maxsize=64)
def best_max_batch(
    curve: LatencyCurve, limit_s: float, percentile: float, streams: int, largest: int
) -> int:
    """The smallest batch, up to ``largest``, with which a rate holds that no other one beats by
    more than a little; ``largest`` where no rate holds at all."""
    rates: dict[int, float] = {}
    for size in _falling(largest):
        if streams * curve.throughput(size) * _GAIN_WORTH < max(rates.values(), default=0.0):
            continue
        rates[size] = sustainable_rate(
            curve.batch_s, limit_s, percentile, streams, size, within=_PRECISION
        )
    best = max(rates.values())
    if not best:
        return largest
    return min(size for size, rate in rates.items() if rate * _GAIN_WORTH >= best)


def _falling(largest: int) -> Iterator[int]:
    """``largest`` and sizes below it, down to 1."""
    size = largest
    while size > 0:
        yield size
        size = min(size - 1, round(size / _RATIO))
