"""Which samples go together."""

from __future__ import annotations

import os
import threading

import numpy as np
from numpy.typing import NDArray

from sut.adapter import Answers
from sut.streams import Batching, Inline, Slices
from tests.sut.streams.ledger import Ledger


class Gate:
    """A predict whose first call waits until it is opened."""

    def __init__(self, ledger: Ledger) -> None:
        self.entered = threading.Event()
        self.opened = threading.Event()
        self._ledger = ledger

    def predict(self, indices: NDArray[np.int64]) -> Answers:
        self.entered.set()
        assert self.opened.wait(10)
        return self._ledger.predict(indices)


def test_inline_answers_in_the_issuing_thread_before_it_returns() -> None:
    ledger = Ledger()
    threads = []

    def predict(indices: NDArray[np.int64]) -> Answers:
        threads.append(threading.current_thread())
        return ledger.predict(indices)

    stream = Inline(predict, ledger.complete, ledger.fail, 3)
    stream.issue(list(range(8)), list(range(8)))
    assert [number for number, _ in ledger.answers] == list(range(8))
    assert ledger.batches == [[0, 1, 2], [3, 4, 5], [6, 7]]
    assert set(threads) == {threading.current_thread()}


def test_offline_answers_the_longest_samples_first() -> None:
    ledger = Ledger()
    lengths = np.array([5, 9, 1, 9, 7])
    stream = Slices([ledger.predict], ledger.complete, ledger.fail, 2, lambda i: lengths[i])
    stream.issue([10, 11, 12, 13, 14], [0, 1, 2, 3, 4])
    stream.close()
    assert ledger.batches == [[1, 3], [4, 0], [2]]
    assert dict(ledger.answers) == {10: 1, 11: 4, 12: 7, 13: 10, 14: 13}


def test_without_lengths_offline_keeps_the_order() -> None:
    ledger = Ledger()
    stream = Slices([ledger.predict], ledger.complete, ledger.fail, 2)
    stream.issue([0, 1, 2], [9, 3, 5])
    stream.issue([3], [1])
    stream.close()
    assert ledger.batches == [[9, 3], [5], [1]]


def test_offline_slices_go_to_whichever_thread_is_free() -> None:
    slow, fast = Ledger(), Ledger()
    gate = Gate(slow)
    stream = Slices([gate.predict, fast.predict], slow.complete, slow.fail, 2)
    stream.issue(list(range(100)), list(range(100)))
    assert gate.entered.wait(10)
    while len(fast.batches) < 49:
        assert not slow.failures
    gate.opened.set()
    stream.close()
    assert len(slow.batches) == 1
    assert len(slow.answers) == 100


def test_an_idle_server_stream_answers_a_lone_sample_at_once() -> None:
    ledger = Ledger()
    answered = threading.Event()
    stream = Batching([ledger.predict], lambda ids, answers: answered.set(), ledger.fail, 8)
    stream.issue([1], [1])
    assert answered.wait(10)
    stream.close()


def test_what_waited_while_the_server_was_busy_goes_together() -> None:
    ledger = Ledger()
    gate = Gate(ledger)
    stream = Batching([gate.predict], ledger.complete, ledger.fail, 4)
    stream.issue([0], [0])
    assert gate.entered.wait(10)
    for i in range(1, 7):
        stream.issue([i], [i])
    gate.opened.set()
    stream.close()
    assert ledger.batches == [[0], [1, 2, 3, 4], [5, 6]]
    assert stream.statistics().batch_sizes == {1: 1, 2: 1, 4: 1}
    assert stream.statistics().queue_wait_max_ns > 0


def test_with_a_delay_the_server_waits_for_a_full_batch() -> None:
    ledger = Ledger()
    stream = Batching([ledger.predict] * 2, ledger.complete, ledger.fail, 3, max_delay_s=600)
    for i in range(6):
        stream.issue([i], [i])
    stream.close()
    assert sorted(ledger.batches) == [[0, 1, 2], [3, 4, 5]]


def test_a_delay_ends_without_a_full_batch() -> None:
    ledger = Ledger()
    answered = threading.Event()
    stream = Batching(
        [ledger.predict], lambda ids, answers: answered.set(), ledger.fail, 8, max_delay_s=0.01
    )
    stream.issue([1], [1])
    assert answered.wait(10)
    stream.close()
    assert ledger.batches == [[1]]


def test_closing_ends_a_delay() -> None:
    ledger = Ledger()
    stream = Batching([ledger.predict], ledger.complete, ledger.fail, 8, max_delay_s=600)
    stream.issue([1, 2], [1, 2])
    stream.close()
    assert ledger.batches == [[1, 2]]


def test_each_thread_is_kept_on_its_cores() -> None:
    core = min(os.sched_getaffinity(0))
    before = os.sched_getaffinity(0)
    ledger = Ledger()
    seen = []

    def predict(indices: NDArray[np.int64]) -> Answers:
        seen.append(os.sched_getaffinity(0))
        return ledger.predict(indices)

    stream = Slices([predict], ledger.complete, ledger.fail, 1, cores=[frozenset({core})])
    stream.issue([1], [1])
    stream.close()
    assert seen == [{core}]
    assert os.sched_getaffinity(0) == before
