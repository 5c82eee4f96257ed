"""Samples ready for a model, as every dataset hands them out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

Progress = Callable[[int, int], None]
"""Called with (samples done, samples in all) while something is being prepared."""


@dataclass(frozen=True)
class Prepared:
    """Named arrays on disk, memory-mapped read-only; the first axis of each is the sample.

    ResNet50: ``image`` float32 [N,3,224,224] (NCHW) or [N,224,224,3] (NHWC).
    BERT: ``input_ids``, ``input_mask``, ``segment_ids`` int64 or int32 [N,384], ``length`` int64
    [N] (tokens that are not padding).
    Simulated: ``answer`` float32 [N] (ResNet50) or [N,384,2] (BERT, with ``length``).
    """

    folder: Path
    key: str
    """SHA-256 over the source bytes and everything that decided the preprocessing."""
    count: int
    arrays: Mapping[str, NDArray[Any]]
