"""A fake of both sides of a stream: predicts from the index, and books what is completed."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sut.adapter import Answers


def answers_for(indices: NDArray[np.int64]) -> Answers:
    """Sample i is answered with 3 i + 1, as float64."""
    return Answers(indices * 3.0 + 1)


class Ledger:
    """What was completed and what failed."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, float]] = []
        self.batches: list[list[int]] = []
        """Sample indices of each predict, in the order of the calls."""
        self.failures: list[BaseException] = []
        self._lock = threading.Lock()

    def predict(self, indices: NDArray[np.int64]) -> Answers:
        with self._lock:
            self.batches.append(indices.tolist())
        return answers_for(indices)

    def complete(self, ids: Sequence[int], answers: Answers) -> None:
        booked = [
            (number, float(np.frombuffer(text, np.float64)[0]))
            for number, text in zip(ids, answers.texts(), strict=True)
        ]
        with self._lock:
            self.answers.extend(booked)

    def fail(self, error: BaseException) -> None:
        self.failures.append(error)
