"""Batches of any size through a model of any fixed or free batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from datasets.errors import ModelError
from sut.adapter import Answers, Needs
from sut.backend import Arrays, Tensor
from sut.predictor import Predictor


class Doubler:
    """A model that doubles ``x`` and keeps the batch sizes it was given."""

    device = "none"

    def __init__(self, batch: int | None) -> None:
        self.inputs = (Tensor("training", "bool", ()), Tensor("x", "float32", (batch,)))
        self.outputs = (Tensor("y", "float32", (batch,)),)
        self.sizes: list[int] = []

    def predict(self, feeds: Arrays, outputs: Sequence[str]) -> list[NDArray[Any]]:
        assert list(outputs) == ["y"]
        self.sizes.append(len(feeds["x"]))
        return [feeds["x"] * 2]

    def close(self) -> None:
        """Nothing to close."""


class Ragged:
    """Answers sample i with i % 3 + 1 copies of its output."""

    needs = Needs()
    outputs: tuple[str, ...] = ("y",)
    facts: Mapping[str, str] = {}

    def __init__(self, max_batch: int | None) -> None:
        self.max_batch = max_batch

    def feeds(self, samples: Arrays) -> Arrays:
        return {"x": samples["value"].astype(np.float32)}

    def answers(self, outputs: Sequence[NDArray[Any]], samples: Arrays) -> Answers:
        if len(outputs[0]) != len(samples["value"]):
            raise ModelError("as many as samples")
        copies = samples["value"] % 3 + 1
        rows = np.repeat(outputs[0][:, None], copies.max(), axis=1)
        return Answers(rows, (copies * 4).tolist())


def gather(indices: NDArray[np.int64]) -> Arrays:
    return {"value": indices}


def texts(answers: Answers) -> list[list[float]]:
    return [np.frombuffer(text, np.float32).tolist() for text in answers.texts()]


@given(
    indices=st.lists(st.integers(0, 1000), min_size=1, max_size=40),
    max_batch=st.none() | st.integers(1, 45),
    exact=st.booleans(),
)
def test_every_sample_has_its_own_answer_in_order(
    indices: list[int], max_batch: int | None, exact: bool
) -> None:
    backend = Doubler(max_batch if exact else None)
    predict = Predictor(backend, Ragged(max_batch), gather)
    answers = predict(np.array(indices, dtype=np.int64))
    assert texts(answers) == [[index * 2.0] * (index % 3 + 1) for index in indices]
    if max_batch and exact:
        assert set(backend.sizes) == {max_batch}
    elif max_batch:
        assert max(backend.sizes) <= max_batch
    else:
        assert backend.sizes == [len(indices)]


@pytest.mark.parametrize(("batch", "sizes"), [(4, [4, 4, 4]), (None, [4, 4, 1])])
def test_the_last_cut_is_filled_only_where_the_shape_demands_it(
    batch: int | None, sizes: list[int]
) -> None:
    backend = Doubler(batch)
    Predictor(backend, Ragged(4), gather)(np.arange(9))
    assert backend.sizes == sizes


class Echo(Doubler):
    """A model that answers with the very memory that it was given."""

    def predict(self, feeds: Arrays, outputs: Sequence[str]) -> list[NDArray[Any]]:
        return [feeds["x"]]


class Verbatim(Ragged):
    """Feeds and answers what it is handed, without a copy."""

    def feeds(self, samples: Arrays) -> Arrays:
        return {"x": samples["value"]}

    def answers(self, outputs: Sequence[NDArray[Any]], samples: Arrays) -> Answers:
        return Answers(outputs[0])


def test_answers_of_a_cut_batch_survive_the_memory_they_came_in() -> None:
    memory = np.empty(2, np.float32)

    def gather_again(indices: NDArray[np.int64]) -> Arrays:
        memory[: len(indices)] = indices
        return {"value": memory[: len(indices)]}

    answers = Predictor(Echo(None), Verbatim(2), gather_again)(np.arange(5))
    assert texts(answers) == [[0.0], [1.0], [2.0], [3.0], [4.0]]


def test_time_outside_the_backend_is_counted() -> None:
    predict = Predictor(Doubler(None), Ragged(None), gather)
    predict(np.arange(3))
    assert predict.spent.gather_ns > 0
    assert predict.spent.answers_ns > 0
