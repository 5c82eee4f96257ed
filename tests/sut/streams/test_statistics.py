"""What a stream counts holds for any batches, and adds up over its threads."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sut.streams.statistics import Tally, total

Batches = list[tuple[int, list[int]]]
batches: st.SearchStrategy[Batches] = st.lists(
    st.tuples(st.integers(10**6, 10**12), st.lists(st.integers(0, 10**6), min_size=1, max_size=20))
)
"""When each batch started, and how long each of its samples had waited, in ns."""


def tally_of(counted: Batches) -> Tally:
    tally = Tally()
    for start_ns, waits in counted:
        issued = [(start_ns - wait, 1) for wait in sorted(waits, reverse=True)]
        tally.count(len(waits), issued, start_ns)
    return tally


@given(st.lists(batches, max_size=3))
def test_every_sample_is_in_every_count(threads: list[Batches]) -> None:
    statistics = total(map(tally_of, threads))
    waits = [wait for thread in threads for _, batch in thread for wait in batch]
    assert statistics.samples == len(waits)
    assert sum(statistics.batch_sizes.values()) == sum(len(thread) for thread in threads)
    assert statistics.queue_wait_max_ns == max(waits, default=0)
    assert round(statistics.queue_wait_mean_ns * len(waits)) == sum(waits)
    for bound, count in statistics.queue_waits.items():
        assert count == sum(bound // 2 <= wait < bound for wait in waits)
    assert sum(statistics.queue_waits.values()) == len(waits)


def test_samples_issued_together_count_as_that_many() -> None:
    together, apart = Tally(), Tally()
    together.count(3, [(5, 3)], 9)
    apart.count(3, [(5, 1)] * 3, 9)
    assert total([together]) == total([apart])


def test_the_queue_is_as_long_as_samples_waited_over_time() -> None:
    tally = Tally()
    tally.count(1, [(1000, 1)], 1000)
    tally.count(2, [(1200, 1), (1400, 1)], 2000)
    assert total([tally]).queue_length_mean == (800 + 600) / 1000
