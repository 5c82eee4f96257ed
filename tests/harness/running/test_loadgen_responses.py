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

Batch = list[bytes]
even: st.SearchStrategy[Batch] = st.integers(1, 9).flatmap(
    lambda size: st.lists(st.binary(min_size=size, max_size=size))
)
uneven: st.SearchStrategy[Batch] = st.lists(st.binary(max_size=9))


def answers_of(batch: Batch, *, spare: int = 0, whole: bool = False) -> Answers:
    """The answers ``batch``, as ``whole`` rows where they may be, else in rows with ``spare`` bytes
    beyond the longest."""
    sizes = [len(answer) for answer in batch]
    width = max(sizes, default=0)
    whole = whole and all(size == width for size in sizes)
    width += 0 if whole else spare
    rows = np.frombuffer(b"".join(each.ljust(width, b"-") for each in batch), np.uint8)
    return Answers(rows.reshape(len(batch), width), None if whole else sizes)


batches = st.builds(
    answers_of, st.one_of(even, uneven), spare=st.integers(0, 3), whole=st.booleans()
)


@given(st.lists(batches, max_size=8))
def test_every_id_gets_the_bytes_of_its_answer(handed: list[Answers]) -> None:
    responses = _Responses()
    for start, batch in enumerate(handed):
        ids = [2**64 - 1 - start - i for i in range(len(batch))]
        filled = responses.filled(ids, batch)
        seen = [(each.id, ctypes.string_at(each.data, each.size)) for each in filled]
        assert seen == list(zip(ids, batch.texts(), strict=True))


@pytest.mark.parametrize("ids", [[1], [1, 2, 3]])
@pytest.mark.parametrize("whole", [True, False])
def test_another_number_of_ids_than_answers_is_refused(ids: list[int], whole: bool) -> None:
    with pytest.raises(ValueError, match="zip"):
        _Responses().filled(ids, answers_of([b"a", b"b"], whole=whole))


def test_threads_do_not_share_a_buffer() -> None:
    responses = _Responses()
    (ours,) = responses.filled([1], answers_of([b"ours"]))
    other = threading.Thread(target=responses.filled, args=([2], answers_of([b"them"])))
    other.start()
    other.join()
    assert (ours.id, ctypes.string_at(ours.data, ours.size)) == (1, b"ours")
