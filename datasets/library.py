"""The samples that a run holds in memory, and batches of them.

Only loaded samples are in memory, once: rows are read from the file into one contiguous buffer an
array, because touching them through the mapping would keep a second copy resident. A buffer is
never written again after its load, so arrays handed out stay right whatever is unloaded later.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.errors import DataError
from datasets.prepared import Prepared

LENGTH = "length"


@dataclass(frozen=True)
class _Resident:
    """What is loaded: sample i is row ``slots[i]`` of every buffer, or absent where that is −1."""

    slots: NDArray[np.int64]
    buffers: Mapping[str, NDArray[Any]]


class SampleLibrary:
    """Loads, unloads and gathers prepared samples by index, as LoadGen asks for them.

    One thread loads and unloads; any number may gather meanwhile.
    """

    def __init__(self, prepared: Prepared) -> None:
        self._prepared = prepared
        lengths = prepared.arrays.get(LENGTH)
        self._lengths = None if lengths is None else np.array(lengths, np.int64)
        self._resident = self._empty()

    @property
    def count(self) -> int:
        """Samples in the dataset."""
        return self._prepared.count

    @property
    def resident(self) -> int:
        """Samples in memory."""
        return int((self._resident.slots >= 0).sum())

    def load(self, indices: Iterable[int]) -> None:
        """Bring samples into memory. Repeated and already loaded ones are no fault."""
        wanted = self._known(indices)
        slots = self._resident.slots
        kept = np.flatnonzero(slots >= 0)
        new = wanted[slots[wanted] < 0]
        if new.size:
            self._resident = self._with(kept, new)

    def unload(self, indices: Iterable[int]) -> None:
        """Forget samples. Repeated ones, and ones that aren't loaded, are no fault.

        Memory is given back when the last sample of a load is unloaded.
        """
        slots = self._resident.slots.copy()
        slots[self._known(indices)] = -1
        emptied = bool((slots < 0).all())
        self._resident = self._empty() if emptied else _Resident(slots, self._resident.buffers)

    def gather(self, indices: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """The samples ``indices`` [B] of every array, [B, …], read-only where no copy was needed.

        One sample, and neighbours in memory, are views. DataError where a sample isn't loaded.
        """
        resident = self._resident
        slots = resident.slots[indices]
        if (slots < 0).any():
            missing = int(np.asarray(indices)[slots < 0][0])
            raise DataError(f"Sample {missing} was asked for, but it isn't loaded.")
        rows = _as_slice(slots)
        if rows is not None:
            return {name: buffer[rows] for name, buffer in resident.buffers.items()}
        return {name: buffer.take(slots, axis=0) for name, buffer in resident.buffers.items()}

    def lengths(self, indices: NDArray[np.int64]) -> NDArray[np.int64] | None:
        """Tokens of the samples ``indices`` [B], loaded or not; None where samples have none."""
        return None if self._lengths is None else self._lengths[indices]

    def _known(self, indices: Iterable[int]) -> NDArray[np.int64]:
        """``indices`` without repeats, sorted, so that files are read from front to back."""
        wanted = np.unique(np.fromiter(indices, np.int64))
        if wanted.size and not 0 <= wanted[0] <= wanted[-1] < self.count:
            raise DataError(f"Samples are 0 to {self.count - 1}, asked for were {wanted}.")
        return wanted

    def _empty(self) -> _Resident:
        return _Resident(np.full(self.count, -1, np.int64), {})

    def _with(self, kept: NDArray[np.int64], new: NDArray[np.int64]) -> _Resident:
        buffers = {name: self._buffer(name, kept, new) for name in self._prepared.arrays}
        slots = np.full(self.count, -1, np.int64)
        slots[kept] = np.arange(kept.size)
        slots[new] = np.arange(kept.size, kept.size + new.size)
        return _Resident(slots, buffers)

    def _buffer(self, name: str, kept: NDArray[np.int64], new: NDArray[np.int64]) -> NDArray[Any]:
        source = self._prepared.arrays[name]
        buffer = np.empty((kept.size + new.size, *source.shape[1:]), source.dtype)
        if kept.size:
            old = self._resident
            np.take(old.buffers[name], old.slots[kept], axis=0, out=buffer[: kept.size])
        _read_rows(source, new, buffer[kept.size :])
        buffer.flags.writeable = False
        return buffer


def _as_slice(slots: NDArray[np.int64]) -> slice | None:
    """``slots`` as a slice where they follow one another, else None."""
    if slots.size and (np.diff(slots) == 1).all():
        return slice(int(slots[0]), int(slots[-1]) + 1)
    return None


def _read_rows(source: NDArray[Any], indices: NDArray[np.int64], into: NDArray[Any]) -> None:
    """Rows ``indices`` of ``source``, past its mapping where it is the whole of a mapped file."""
    if not (isinstance(source, np.memmap) and isinstance(source.base, mmap.mmap)):
        np.take(source, indices, axis=0, out=into)
        return
    path, row_bytes = Path(str(source.filename)), into[:1].nbytes
    with path.open("rb", buffering=0) as file:
        for place, index in enumerate(indices):
            _read_exactly(file.fileno(), into[place : place + 1], source.offset + index * row_bytes)


def _read_exactly(descriptor: int, row: NDArray[Any], offset: int) -> None:
    left = row.data.cast("B")
    while left:
        read = os.preadv(descriptor, [left], offset)
        if read == 0:
            raise DataError("A file of prepared samples ends early: prepare the dataset again.")
        left, offset = left[read:], offset + read
