"""Whatever batches a thread hands over, each response points at its own answer's bytes."""

from __future__ import annotations

import ctypes
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.running.loadgen import _Responses
from sut.adapter import Answers

Batches = list[list[bytes]]
even = st.integers(1, 9).flatmap(lambda size: st.lists(st.binary(min_size=size, max_size=size)))
uneven = st.lists(st.binary(max_size=9))
batches: st.SearchStrategy[Batches] = st.lists(st.one_of(even, uneven), max_size=8)


def answers_of(batch: list[bytes], gap: int) -> Answers:
    """The answers ``batch`` in one buffer, ``gap`` bytes between them."""
    sizes = np.array([len(answer) for answer in batch], np.int64)
    offsets = np.cumsum(sizes + gap) - sizes - gap
    data = b"".join(answer + bytes(gap) for answer in batch)
    return Answers(np.frombuffer(data, np.uint8), offsets, sizes)


@given(batches, st.integers(0, 3))
def test_every_id_gets_the_bytes_of_its_answer(handed: Batches, gap: int) -> None:
    responses = _Responses()
    for start, batch in enumerate(handed):
        ids = [2**64 - 1 - start - i for i in range(len(batch))]
        filled = responses.filled(ids, answers_of(batch, gap))
        seen = [(each.id, ctypes.string_at(each.data, each.size)) for each in filled]
        assert seen == list(zip(ids, batch, strict=True))


@pytest.mark.parametrize("ids", [[1], [1, 2, 3]])
def test_another_number_of_ids_than_answers_is_refused(ids: list[int]) -> None:
    with pytest.raises(ValueError, match="zip"):
        _Responses().filled(ids, answers_of([b"a", b"b"], 0))


def test_threads_do_not_share_a_buffer() -> None:
    responses = _Responses()
    (ours,) = responses.filled([1], answers_of([b"ours"], 0))
    other = threading.Thread(target=responses.filled, args=([2], answers_of([b"them"], 0)))
    other.start()
    other.join()
    assert (ours.id, ctypes.string_at(ours.data, ours.size)) == (1, b"ours")
