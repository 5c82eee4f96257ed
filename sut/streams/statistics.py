"""What a stream did: batch sizes, waiting, and where its threads' time went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

Issued = Sequence[tuple[int, int]]
"""When samples were issued (``time.perf_counter_ns``), oldest first, and how many at that time."""


@dataclass(frozen=True)
class StreamStatistics:
    """Totals over all threads of a stream. Seconds are summed over threads: they may exceed the
    wall time."""

    batch_sizes: Mapping[int, int]
    """Batch size → number of batches of that size, by size."""
    samples: int
    queue_waits: Mapping[int, int]
    """Power of two in ns → samples that waited less than that and not less than half of it."""
    queue_wait_mean_ns: float
    """From issue to the start of the predict, over samples."""
    queue_wait_max_ns: int
    queue_length_mean: float
    """Samples that waited, averaged over time from the first issue to the last predict's start."""
    predict_s: float
    complete_s: float
    idle_s: float
    """Between batches: nothing was there to predict, or the batch was being put together."""


class Tally:
    """Counts of one thread: only that thread adds, any thread may read."""

    def __init__(self) -> None:
        self.batch_sizes: Counter[int] = Counter()
        self.waits: Counter[int] = Counter()
        """By the number of bits of the wait in ns."""
        self.wait_sum_ns = 0
        self.wait_max_ns = 0
        self.predict_ns = 0
        self.complete_ns = 0
        self.idle_ns = 0
        self.first_issued_ns = 0
        self.last_start_ns = 0

    def count(self, size: int, issued: Issued, start_ns: int) -> None:
        """Count a batch of ``size`` samples whose predict started at ``start_ns``."""
        oldest_ns = issued[0][0]
        self.batch_sizes[size] += 1
        self.first_issued_ns = self.first_issued_ns or oldest_ns
        self.last_start_ns = start_ns
        self.wait_max_ns = max(self.wait_max_ns, start_ns - oldest_ns)
        waits = self.waits
        for issued_ns, samples in issued:
            wait_ns = start_ns - issued_ns
            self.wait_sum_ns += wait_ns * samples
            waits[wait_ns.bit_length()] += samples


def total(tallies: Iterable[Tally]) -> StreamStatistics:
    """The sum of what the threads of a stream counted."""
    counted = [tally for tally in tallies if tally.batch_sizes]
    sizes, waits = (
        sum((getattr(tally, name) for tally in counted), Counter[int]())
        for name in ("batch_sizes", "waits")
    )
    samples = sum(size * batches for size, batches in sizes.items())
    waited_ns = sum(tally.wait_sum_ns for tally in counted)
    return StreamStatistics(
        batch_sizes=dict(sorted(sizes.items())),
        samples=samples,
        queue_waits={1 << bits: count for bits, count in sorted(waits.items())},
        queue_wait_mean_ns=waited_ns / max(samples, 1),
        queue_wait_max_ns=max((tally.wait_max_ns for tally in counted), default=0),
        queue_length_mean=waited_ns / max(_span_ns(counted), 1),
        predict_s=sum(tally.predict_ns for tally in counted) / 1e9,
        complete_s=sum(tally.complete_ns for tally in counted) / 1e9,
        idle_s=sum(tally.idle_ns for tally in counted) / 1e9,
    )


def _span_ns(counted: Sequence[Tally]) -> int:
    first = min((tally.first_issued_ns for tally in counted), default=0)
    return max((tally.last_start_ns for tally in counted), default=0) - first
