"""Answers of a simulated device: the prepared samples are the answers already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.errors import ModelError
from sut.adapter import Answers, Needs
from sut.backend import Arrays

ANSWER = "answer"


class SimulatedAdapter:
    """Logs what comes out as float32: a label (4 bytes), or for BERT [length, 2] logits, cut to
    the length of the sample."""

    needs = Needs()
    outputs: tuple[str, ...] = (ANSWER,)
    max_batch: int | None = None

    def __init__(self, benchmark: str) -> None:
        self.facts: Mapping[str, str] = {"model": f"simulated {benchmark}"}

    def feeds(self, samples: Arrays) -> Arrays:
        """The answers of a batch: ``answer`` float32 [B] or [B, 384, 2]."""
        return {ANSWER: samples[ANSWER]}

    def answers(self, outputs: Sequence[NDArray[Any]], samples: Arrays) -> Answers:
        """The answers that came out; ModelError where there are not as many as samples."""
        rows, size = np.ascontiguousarray(outputs[0], dtype=np.float32), len(samples[ANSWER])
        if len(rows) != size:
            raise ModelError(
                f"The simulated model gave {len(rows)} answers for {size} samples; "
                "a backend must keep the first axis."
            )
        if "length" not in samples:
            return Answers(rows)
        pair_bytes, row_bytes = 2 * rows.itemsize, rows.strides[0]
        sizes = [min(length * pair_bytes, row_bytes) for length in samples["length"].tolist()]
        return Answers(rows, sizes)
