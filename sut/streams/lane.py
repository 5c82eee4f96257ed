"""One thread's way from a batch to completed samples."""

from __future__ import annotations

from time import perf_counter_ns

from datasets.errors import ModelError
from sut.streams.contract import Batch, Complete, Predict
from sut.streams.statistics import Tally


class Lane:
    """Predicts a batch, checks the answers, completes them and counts. Serves one thread."""

    def __init__(self, predict: Predict, complete: Complete) -> None:
        self.tally = Tally()
        self._predict = predict
        self._complete = complete

    def answer(self, batch: Batch) -> None:
        """Answer one batch. Raises what predict or complete raise, and ModelError where the
        number of answers is not that of the samples."""
        size = len(batch.ids)
        start_ns = perf_counter_ns()
        answers = self._predict(batch.indices)
        predict_ns = perf_counter_ns() - start_ns
        if len(answers) != size:
            raise ModelError(
                f"A batch of {size} samples was given {len(answers)} answers; "
                "check that the model keeps the first axis of its inputs."
            )
        self.tally.add(
            size,
            start_ns * size - batch.issued_sum_ns,
            start_ns - batch.first_issued_ns,
            predict_ns,
        )
        self._complete(batch.ids, answers)
