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
        sizes = copies * 4
        return Answers(np.repeat(outputs[0], copies), np.cumsum(sizes) - sizes, sizes)


def gather(indices: NDArray[np.int64]) -> Arrays:
    return {"value": indices}


def texts(answers: Answers) -> list[list[float]]:
    data = answers.data.reshape(-1).view(np.uint8)
    return [
        data[at : at + size].view(np.float32).tolist()
        for at, size in zip(answers.offsets, answers.sizes, strict=True)
    ]


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
