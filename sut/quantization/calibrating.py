"""Hands samples to ONNX Runtime's calibration, a batch at a time, so that memory stays small."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.samples.library import SampleLibrary
from sut.adapter import Adapter

BATCH = 4
"""Samples whose activations are in memory at once; ResNet50's take about 50 MB a sample."""


class CalibrationReader:
    """What ``onnxruntime.quantization`` calls a CalibrationDataReader, over a library's samples.

    An item is a batch. The last one, or every one where the model has a fixed batch, is filled with
    its own last sample, which moves no range.
    """

    def __init__(self, library: SampleLibrary, adapter: Adapter) -> None:
        self._library = library
        self._adapter = adapter
        size = adapter.max_batch or BATCH
        rows = np.arange(library.count)
        self._batches: Sequence[NDArray[np.int64]] = [
            rows[first : first + size] for first in range(0, library.count, size)
        ]
        self._size = size
        self._left: Iterator[NDArray[np.int64]] = iter(self._batches)

    def __len__(self) -> int:
        return len(self._batches)

    def set_range(self, start_index: int, end_index: int) -> None:
        """Go on with the items from ``start_index`` to before ``end_index``."""
        self._left = iter(self._batches[start_index:end_index])

    def get_next(self) -> dict[str, NDArray[Any]] | None:
        """The model's inputs for the next item; None after the last."""
        rows = next(self._left, None)
        if rows is None:
            return None
        self._library.load(rows.tolist())
        filled = np.pad(rows, (0, self._size - len(rows)), mode="edge")
        feeds = dict(self._adapter.feeds(self._library.gather(filled)))
        self._library.unload(rows.tolist())
        return feeds
