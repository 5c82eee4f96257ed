"""What rate a batching server can take, by discrete-event simulation of its queue.

Arrivals are Poisson, as LoadGen's Server schedule is; every idle stream takes what waits, up to
max_batch, at once. It needs no hardware and no clock, so it starts a search close to its end.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

BatchSeconds = Callable[[int], float]


def simulate(
    batch_s: BatchSeconds, rate: float, queries: int, streams: int, max_batch: int, seed: int
) -> NDArray[np.float64]:
    """Latencies in seconds of ``queries`` queries arriving at ``rate`` per second, [queries]."""
    gaps = np.random.default_rng(seed).exponential(1 / rate, queries)
    arrivals = np.cumsum(gaps)
    done = np.empty(queries)
    free_at = [0.0] * streams
    first = 0
    while first < queries:
        start = max(heapq.heappop(free_at), float(arrivals[first]))
        waiting = int(np.searchsorted(arrivals, start, side="right")) - first
        size = min(max(waiting, 1), max_batch)
        end = start + batch_s(size)
        done[first : first + size] = end
        heapq.heappush(free_at, end)
        first += size
    return done - arrivals


def sustainable_rate(
    batch_s: BatchSeconds,
    limit_s: float,
    percentile: float,
    streams: int,
    max_batch: int,
    queries: int = 2000,
    seed: int = 1,
    within: float = 0.02,
) -> float:
    """The highest rate at which the percentile of latency stays under the limit.

    It is found ``within`` that share of it. 0.0 where not even a lone query does.
    """
    if batch_s(1) > limit_s:
        return 0.0

    def meets(rate: float) -> bool:
        latencies = simulate(batch_s, rate, queries, streams, max_batch, seed)
        return bool(np.quantile(latencies, percentile) <= limit_s)

    low, high = 0.0, streams * max_batch / batch_s(max_batch)
    while high - low > within * high:
        middle = (low + high) / 2
        low, high = (middle, high) if meets(middle) else (low, middle)
    return low
