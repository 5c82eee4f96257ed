"""Two systems over the same samples, batch by batch in turn: rates that compare, answers to score.

Whatever disturbs the machine disturbs both sides of a pair alike, so the ratio of a pair means
something where the rates alone would not. Runs in a child process.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median, quantiles

import numpy as np
from numpy.typing import NDArray

from audit.logs.accuracy_log import AccuracyRecord
from datasets.samples.library import SampleLibrary
from datasets.samples.prepared import Progress
from harness.running.scoring import batches_of, records_of
from sut.adapter import Answers

REST_S = 0.02
"""Before each call: the other side's threads spin for a while after theirs."""

Predict = Callable[[NDArray[np.int64]], Answers]


@dataclass(frozen=True)
class Pairs:
    """What both sides answered, and how long each batch took them."""

    records: tuple[list[AccuracyRecord], list[AccuracyRecord]]
    seconds: tuple[list[float], list[float]]
    sizes: list[int]

    def rate(self, side: int) -> float:
        """Samples per second: of the batches, the median."""
        return median(
            size / seconds for size, seconds in zip(self.sizes, self.seconds[side], strict=True)
        )

    def ratio(self) -> tuple[float, float, float]:
        """How many times as fast the second side is: lower quartile, median, upper quartile."""
        ratios = [first / second for first, second in zip(*self.seconds, strict=True)]
        if len(ratios) == 1:
            return ratios[0], ratios[0], ratios[0]
        low, middle, high = quantiles(ratios, n=4, method="inclusive")
        return low, middle, high


def compare(
    first: Predict, second: Predict, library: SampleLibrary, batch: int, progress: Progress
) -> Pairs:
    """Answer every sample once on each side. The first batch is answered twice: once to warm up."""
    sides = (first, second)
    pairs = Pairs(([], []), ([], []), [])
    for number, rows in enumerate(batches_of(library, batch)):
        library.load(rows.tolist())
        if not number:
            for predict in sides:
                predict(rows)
        for side in (0, 1) if number % 2 else (1, 0):
            answers, seconds = _timed(sides[side], rows)
            pairs.seconds[side].append(seconds)
            pairs.records[side].extend(records_of(answers, rows, len(pairs.records[side])))
        library.unload(rows.tolist())
        pairs.sizes.append(len(rows))
        progress(sum(pairs.sizes), library.count)
    return pairs


def _timed(predict: Predict, rows: NDArray[np.int64]) -> tuple[Answers, float]:
    time.sleep(REST_S)
    began = time.perf_counter()
    answers = predict(rows)
    return answers, time.perf_counter() - began
