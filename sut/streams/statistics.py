"""What a stream did: batch sizes, waiting and time inside predict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class StreamStatistics:
    """Totals over all threads of a stream."""

    batch_sizes: Mapping[int, int]
    """Batch size → number of batches of that size, by size."""
    samples: int
    queue_wait_mean_ns: float
    """From issue to the start of the predict, over samples."""
    queue_wait_max_ns: int
    predict_s: float
    """Summed over threads: it may exceed the wall time."""


class Tally:
    """Counts of one thread: only that thread adds, any thread may read."""

    def __init__(self) -> None:
        self.batch_sizes: Counter[int] = Counter()
        self.wait_sum_ns = 0
        self.wait_max_ns = 0
        self.predict_ns = 0

    def add(self, size: int, wait_sum_ns: int, wait_max_ns: int, predict_ns: int) -> None:
        """Count one batch of ``size`` samples."""
        self.batch_sizes[size] += 1
        self.wait_sum_ns += wait_sum_ns
        self.predict_ns += predict_ns
        if wait_max_ns > self.wait_max_ns:
            self.wait_max_ns = wait_max_ns


def total(tallies: Iterable[Tally]) -> StreamStatistics:
    """The sum of what the threads of a stream counted."""
    counted = list(tallies)
    sizes: Counter[int] = Counter()
    for tally in counted:
        sizes.update(dict(tally.batch_sizes))
    samples = sum(size * batches for size, batches in sizes.items())
    return StreamStatistics(
        batch_sizes=dict(sorted(sizes.items())),
        samples=samples,
        queue_wait_mean_ns=sum(tally.wait_sum_ns for tally in counted) / max(samples, 1),
        queue_wait_max_ns=max((tally.wait_max_ns for tally in counted), default=0),
        predict_s=sum(tally.predict_ns for tally in counted) / 1e9,
    )
