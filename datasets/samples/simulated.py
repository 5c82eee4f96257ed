"""Samples of the simulated device: each is its own right answer, so accuracy is known exactly."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.samples.prepared import Prepared
from datasets.samples.store import ArraySpec, Recipe, RowWriter, obtain

CLASSES = 1000
_SEED = 50
"""Raw generator bits are the same in every NumPy, which its ready-made distributions are not."""


def labels(count: int) -> NDArray[np.int64]:
    """The true labels of samples 0 … ``count`` − 1, int64 [count], each in 0 … 999."""
    return (np.random.PCG64(_SEED).random_raw(count) % CLASSES).astype(np.int64)


def prepare_labels(count: int, cache: Path) -> Prepared:
    """``count`` ResNet50 samples whose ``answer`` float32 [count] is the true label."""
    folder = cache / "prepared" / f"simulated-labels-{count}"
    return prepare_arrays(folder, {"answer": labels(count).astype(np.float32)})


def prepare_arrays(folder: Path, arrays: Mapping[str, NDArray[Any]]) -> Prepared:
    """The given arrays, first axis the sample, as a store at ``folder``; its key is their content.

    A finished store is taken as it is: ``folder`` must name the content.
    """
    specs = [ArraySpec(name, array.dtype.str, array.shape) for name, array in arrays.items()]

    def fill(writers: Mapping[str, RowWriter]) -> str:
        for name, writer in writers.items():
            writer.write(0, arrays[name])
        return _key(arrays)

    return obtain(folder, lambda: Recipe(specs, fill))


def _key(arrays: Mapping[str, NDArray[Any]]) -> str:
    digest = hashlib.sha256()
    for name, array in sorted(arrays.items()):
        digest.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()
