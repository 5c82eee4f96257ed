"""Writing one array of a store, row by row, so that a killed build can go on.

Rows are written with ``pwrite`` rather than through a mapping: a full disk is an error instead of
a crash, and what was written doesn't stay in the builder's resident memory. A journal beside the
array says what is surely on disk; it is extended only after the rows that it speaks of were
flushed, so neither a kill nor a power cut can make it promise too much.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from datasets.disk.files import naming


@dataclass(frozen=True)
class ArraySpec:
    """One array of a store; the first axis of ``shape`` is the sample."""

    name: str
    dtype: str
    shape: tuple[int, ...]

    @property
    def size_bytes(self) -> int:
        """Bytes of the array's elements."""
        return int(np.prod(self.shape)) * np.dtype(self.dtype).itemsize


class RowWriter:
    """One array under construction. Different rows may be written from several threads at once."""

    def __init__(self, folder: Path, spec: ArraySpec) -> None:
        self._path = path = array_path(folder, spec.name)
        self._journal_path = _journal_path(folder, spec.name)
        self.journal = _journal_of(path, self._journal_path, spec)
        """What an earlier, unfinished build of this array left with :meth:`checkpoint`."""
        self._offset = _create(path, spec) if not self.journal else _mapped(path).offset
        self._dtype = np.dtype(spec.dtype)
        self._row_shape = spec.shape[1:]
        self._row_bytes = int(np.prod(self._row_shape)) * self._dtype.itemsize
        self._file: IO[bytes] = path.open("r+b")

    def __enter__(self) -> RowWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                with naming(self._path):
                    os.fsync(self._file.fileno())
        finally:
            self._file.close()

    def write(self, first: int, rows: NDArray[Any]) -> None:
        """Write consecutive ``rows`` [n, …], of the array's own type, from sample ``first`` on."""
        if rows.shape[1:] != self._row_shape or rows.dtype != self._dtype:
            raise ValueError(f"rows {rows.dtype}{rows.shape} don't fit this array")
        left = np.ascontiguousarray(rows).data.cast("B")
        position = self._offset + first * self._row_bytes
        with naming(self._path):
            while left:
                written = os.pwrite(self._file.fileno(), left, position)
                left, position = left[written:], position + written

    def checkpoint(self, more: bytes) -> None:
        """Bring to disk what was written, then add ``more`` to the journal."""
        with naming(self._path):
            os.fdatasync(self._file.fileno())
        with naming(self._journal_path), self._journal_path.open("ab") as file:
            file.write(more)
            file.flush()
            os.fdatasync(file.fileno())

    def forget_journal(self) -> None:
        """The array is whole and will not be gone on with."""
        self._journal_path.unlink(missing_ok=True)


def array_path(folder: Path, name: str) -> Path:
    """The file of the array ``name`` of the store at ``folder``."""
    return folder / f"{name}.npy"


def _journal_path(folder: Path, name: str) -> Path:
    return folder / f"{name}.journal"


def _journal_of(path: Path, journal: Path, spec: ArraySpec) -> bytes:
    """The journal, where the array that it speaks of is there and as ``spec`` wants it."""
    try:
        array = _mapped(path)
        if array.shape == spec.shape and array.dtype == np.dtype(spec.dtype):
            return journal.read_bytes()
    except (OSError, ValueError):
        pass
    journal.unlink(missing_ok=True)
    return b""


def _create(path: Path, spec: ArraySpec) -> int:
    """Make the array, all zero, with its room on the disk; where its elements begin in the file."""
    dtype = np.dtype(spec.dtype)
    with naming(path):
        made = np.lib.format.open_memmap(path, mode="w+", dtype=dtype, shape=spec.shape)
        with path.open("r+b") as file:
            os.posix_fallocate(file.fileno(), 0, path.stat().st_size)
        return made.offset


def _mapped(path: Path) -> np.memmap[Any, Any]:
    return np.lib.format.open_memmap(path, mode="r")
