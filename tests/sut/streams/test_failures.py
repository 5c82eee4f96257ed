"""A failure is told once, and nothing hangs or escapes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.errors import ModelError
from sut.adapter import Answers
from sut.streams import Batching, Complete, Fail, Inline, Predict, Slices, Stream
from tests.sut.streams.ledger import Ledger, answers_for

MakeStream = Callable[[Predict, Complete, Fail], Stream]
MAKERS: list[MakeStream] = [
    lambda predict, complete, fail: Inline(predict, complete, fail, 2),
    lambda predict, complete, fail: Slices([predict] * 3, complete, fail, 2),
    lambda predict, complete, fail: Batching([predict] * 3, complete, fail, 2),
]


@pytest.mark.parametrize("make", MAKERS)
def test_a_predict_that_raises_is_told_once(make: MakeStream) -> None:
    ledger = Ledger()

    def predict(indices: NDArray[np.int64]) -> Answers:
        raise RuntimeError("lost the device")

    stream = make(predict, ledger.complete, ledger.fail)
    for start in range(0, 40, 4):
        stream.issue(list(range(start, start + 4)), [0, 1, 2, 3])
    stream.close()
    assert [str(error) for error in ledger.failures] == ["lost the device"]
    assert not ledger.answers


@pytest.mark.parametrize("make", MAKERS)
def test_after_a_failure_nothing_more_is_predicted(make: MakeStream) -> None:
    ledger = Ledger()
    failed = threading.Event()

    def fail(error: BaseException) -> None:
        ledger.fail(error)
        failed.set()

    def predict(indices: NDArray[np.int64]) -> Answers:
        if 7 in indices:
            raise RuntimeError("sample 7")
        return ledger.predict(indices)

    stream = make(predict, ledger.complete, fail)
    stream.issue([1], [7])
    assert failed.wait(10)
    stream.issue([2, 3, 4], [1, 2, 3])
    stream.close()
    assert len(ledger.failures) == 1
    assert not ledger.answers
    assert not ledger.batches


@pytest.mark.parametrize("make", MAKERS)
def test_a_complete_that_raises_is_a_failure(make: MakeStream) -> None:
    ledger = Ledger()

    def complete(ids: Sequence[int], answers: Answers) -> None:
        raise ValueError("not taken")

    stream = make(ledger.predict, complete, ledger.fail)
    stream.issue([1, 2, 3], [1, 2, 3])
    stream.close()
    assert [str(error) for error in ledger.failures] == ["not taken"]


@pytest.mark.parametrize("make", MAKERS)
def test_a_thread_that_ends_itself_is_a_failure(make: MakeStream) -> None:
    ledger = Ledger()

    def predict(indices: NDArray[np.int64]) -> Answers:
        raise SystemExit

    stream = make(predict, ledger.complete, ledger.fail)
    stream.issue([1], [1])
    stream.close()
    assert [type(error) for error in ledger.failures] == [SystemExit]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("given", [0, 3])
def test_another_number_of_answers_is_a_failure(make: MakeStream, given: int) -> None:
    ledger = Ledger()
    stream = make(
        lambda indices: answers_for(np.zeros(given, np.int64)), ledger.complete, ledger.fail
    )
    stream.issue([1, 2], [1, 2])
    stream.close()
    assert not ledger.answers
    assert [type(error) for error in ledger.failures] == [ModelError]


@pytest.mark.parametrize("make", MAKERS[:2])
def test_the_sentence_says_both_numbers(make: MakeStream) -> None:
    ledger = Ledger()
    stream = make(lambda indices: answers_for(indices[:1]), ledger.complete, ledger.fail)
    stream.issue([1, 2], [1, 2])
    stream.close()
    (error,) = ledger.failures
    assert isinstance(error, ModelError)
    assert "2 samples was given 1 answers" in str(error)


def test_lengths_that_raise_are_a_failure() -> None:
    ledger = Ledger()

    def lengths(indices: NDArray[np.int64]) -> NDArray[np.int64]:
        raise KeyError("no such sample")

    stream = Slices([ledger.predict] * 2, ledger.complete, ledger.fail, 2, lengths)
    stream.issue([1], [1])
    stream.close()
    assert [type(error) for error in ledger.failures] == [KeyError]
