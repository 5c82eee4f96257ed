"""Samples ready for a model, as every dataset hands them out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Progress = Callable[[int, int], None]
"""Called with (samples done, samples in all) while something is being prepared."""


@dataclass(frozen=True)
class Prepared:
    """Named arrays on disk, memory-mapped read-only; the first axis of each is the sample.

    ResNet50: ``image`` uint8 [N,3,224,224] (NCHW) or [N,224,224,3] (NHWC), with a mean.
    BERT: ``input_ids``, ``input_mask``, ``segment_ids`` int64 or int32 [N,384], ``length`` int64
    [N] (tokens that are not padding).
    Simulated: ``answer`` float32 [N] (ResNet50) or [N,384,2] (BERT, with ``length``).
    """

    folder: Path
    key: str
    """SHA-256 over the source bytes and everything that decided the preprocessing."""
    count: int
    arrays: Mapping[str, NDArray[Any]]
    means: Mapping[str, NDArray[np.float32]] = field(default_factory=dict)
    """For an array of small integers that a model takes as float32: what to subtract from each
    row, of a shape that broadcasts to it. A sample is float32(stored) − mean, in float32."""
