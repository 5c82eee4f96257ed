"""Whatever is issued, every sample is completed once, with its own answer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sut.streams import Batching, Inline, Slices, Stream
from tests.sut.streams.ledger import Ledger

MakeStream = Callable[[Ledger, int, int], Stream]


def inline(ledger: Ledger, max_batch: int, threads: int) -> Stream:
    return Inline(ledger.predict, ledger.complete, ledger.fail, max_batch)


def slices(ledger: Ledger, max_batch: int, threads: int) -> Stream:
    return Slices([ledger.predict] * threads, ledger.complete, ledger.fail, max_batch)


def sorted_slices(ledger: Ledger, max_batch: int, threads: int) -> Stream:
    return Slices(
        [ledger.predict] * threads, ledger.complete, ledger.fail, max_batch, lambda i: i % 7
    )


def batching(ledger: Ledger, max_batch: int, threads: int) -> Stream:
    return Batching([ledger.predict] * threads, ledger.complete, ledger.fail, max_batch)


def patient_batching(ledger: Ledger, max_batch: int, threads: int) -> Stream:
    return Batching([ledger.predict] * threads, ledger.complete, ledger.fail, max_batch, 0.002)


MAKERS = [inline, slices, sorted_slices, batching, patient_batching]


@pytest.mark.parametrize("make", MAKERS)
@given(
    sizes=st.lists(st.integers(0, 40), max_size=12),
    max_batch=st.integers(1, 50),
    threads=st.integers(1, 4),
    seed=st.integers(0, 2**32 - 1),
)
@settings(max_examples=40, deadline=None)
def test_every_sample_is_completed_once_with_its_own_answer(
    make: MakeStream, sizes: list[int], max_batch: int, threads: int, seed: int
) -> None:
    ledger = Ledger()
    stream = make(ledger, max_batch, threads)
    random = np.random.default_rng(seed)
    expected: list[tuple[int, float]] = []
    for size in sizes:
        ids = [2**47 + len(expected) + i for i in range(size)]
        indices = random.integers(0, 10, size).tolist()
        expected += [(number, index * 3.0 + 1) for number, index in zip(ids, indices, strict=True)]
        stream.issue(ids, indices)
        ids.clear()
        indices.clear()
    stream.flush()
    stream.close()
    assert not ledger.failures
    assert sorted(ledger.answers) == expected
    assert all(1 <= len(batch) <= max_batch for batch in ledger.batches)
    statistics = stream.statistics()
    assert statistics.samples == len(expected)
    assert statistics.batch_sizes == {
        size: sum(len(batch) == size for batch in ledger.batches)
        for size in sorted({len(batch) for batch in ledger.batches})
    }


@pytest.mark.parametrize("make", MAKERS)
def test_ids_keep_all_64_bits(make: MakeStream) -> None:
    ledger = Ledger()
    stream = make(ledger, 4, 1)
    stream.issue([2**64 - 1, 0], [0, 1])
    stream.close()
    assert sorted(ledger.answers) == [(0, 4.0), (2**64 - 1, 1.0)]
    assert all(type(number) is int for number, _ in ledger.answers)
