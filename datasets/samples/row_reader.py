"""Reading rows of prepared arrays into memory, as a model takes them.

Rows are read past the mapping of their file, because touching them through it would keep a second
copy resident. Where an array has a mean, rows are widened one at a time, so that beside what was
asked for only a single narrow row is ever in memory.
"""

from __future__ import annotations

import contextlib
import mmap
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.errors import DataError
from datasets.samples.prepared import Prepared

_ReadRow = Callable[[int, NDArray[Any]], None]
"""Reads the row of that index into an array [1, …]."""


def read_rows(prepared: Prepared, name: str, indices: NDArray[np.int64]) -> NDArray[Any]:
    """Rows ``indices`` [n] of the array ``name``, [n, …], read-only; float32 less the mean where
    the array has one. DataError where its file ends early."""
    source, mean = prepared.arrays[name], prepared.means.get(name)
    dtype = source.dtype if mean is None else np.dtype(np.float32)
    rows = np.empty((indices.size, *source.shape[1:]), dtype)
    with _opened(source) as stored:
        read = stored if mean is None else _widening(stored, source, mean)
        for place, index in enumerate(indices.tolist()):
            read(index, rows[place : place + 1])
    rows.flags.writeable = False
    return rows


def _widening(read: _ReadRow, source: NDArray[Any], mean: NDArray[np.float32]) -> _ReadRow:
    """float32(row) − mean, rounded as if the row had been float32 all along."""
    narrow = np.empty((1, *source.shape[1:]), source.dtype)
    whole_mean = np.ascontiguousarray(np.broadcast_to(mean, narrow.shape))

    def read_wide(index: int, into: NDArray[Any]) -> None:
        read(index, narrow)
        np.subtract(narrow, whole_mean, out=into, dtype=np.float32)

    return read_wide


@contextlib.contextmanager
def _opened(source: NDArray[Any]) -> Iterator[_ReadRow]:
    """A reader past the mapping of ``source``, where that is the whole of a mapped file."""
    if not (isinstance(source, np.memmap) and isinstance(source.base, mmap.mmap)):

        def copy(index: int, into: NDArray[Any]) -> None:
            into[0] = source[index]

        yield copy
        return
    row_bytes = source[:1].nbytes
    with Path(str(source.filename)).open("rb", buffering=0) as file:

        def read(index: int, into: NDArray[Any]) -> None:
            _read_exactly(file.fileno(), into, source.offset + index * row_bytes)

        yield read


def _read_exactly(descriptor: int, row: NDArray[Any], offset: int) -> None:
    left = row.data.cast("B")
    while left:
        read = os.preadv(descriptor, [left], offset)
        if read == 0:
            raise DataError("A file of prepared samples ends early: prepare the dataset again.")
        left, offset = left[read:], offset + read
