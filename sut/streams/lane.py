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
        self._free_ns = 0

    def answer(self, batch: Batch) -> None:
        """Answer one batch. Raises what predict or complete raise, and ModelError where the
        number of answers is not that of the samples."""
        tally, size = self.tally, len(batch.ids)
        start_ns = perf_counter_ns()
        tally.idle_ns += start_ns - (self._free_ns or start_ns)
        answers = self._predict(batch.indices)
        predicted_ns = perf_counter_ns()
        if len(answers) != size:
            raise ModelError(
                f"A batch of {size} samples was given {len(answers)} answers; "
                "check that the model keeps the first axis of its inputs."
            )
        self._complete(batch.ids, answers)
        self._free_ns = perf_counter_ns()
        tally.predict_ns += predicted_ns - start_ns
        tally.complete_ns += self._free_ns - predicted_ns
        tally.count(size, batch.issued, start_ns)
