"""Prepared samples on disk: built once, mapped read-only ever after.

A store is a folder of ``.npy`` files and a manifest. It is built beside its final name and renamed
when everything in it is on disk, under a lock, so that a half-written store is never taken for a
whole one and two processes never build the same one twice. Rows are written with ``pwrite``
rather than through a mapping: a full disk is an error instead of a crash, and what was written
doesn't stay in the builder's resident memory.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.errors import DataError
from datasets.files import write_json
from datasets.lock import hold
from datasets.prepared import Prepared

MANIFEST = "manifest.json"
SCHEMA = "loadproof.prepared"
VERSION = 1


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

    def __init__(self, path: Path, spec: ArraySpec) -> None:
        mapped = np.lib.format.open_memmap(
            path, mode="w+", dtype=np.dtype(spec.dtype), shape=spec.shape
        )
        self._offset = mapped.offset
        del mapped
        self._dtype = np.dtype(spec.dtype)
        self._row_shape = spec.shape[1:]
        self._row_bytes = int(np.prod(self._row_shape)) * self._dtype.itemsize
        self._file = path.open("r+b")

    def __enter__(self) -> RowWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            os.fsync(self._file.fileno())
        finally:
            self._file.close()

    def write(self, first: int, rows: NDArray[Any]) -> None:
        """Write consecutive ``rows`` [n, …], of the array's own type, from sample ``first`` on."""
        if rows.shape[1:] != self._row_shape or rows.dtype != self._dtype:
            raise ValueError(f"rows {rows.dtype}{rows.shape} don't fit this array")
        left = np.ascontiguousarray(rows).data.cast("B")
        position = self._offset + first * self._row_bytes
        while left:
            written = os.pwrite(self._file.fileno(), left, position)
            left, position = left[written:], position + written


Fill = Callable[[Mapping[str, RowWriter]], str]
"""Writes every row of every array; returns the key of what it wrote."""


@dataclass(frozen=True)
class Recipe:
    """How a store is built: its arrays, which share their first axis, and what fills them."""

    specs: Sequence[ArraySpec]
    fill: Fill


def obtain(folder: Path, recipe: Callable[[], Recipe]) -> Prepared:
    """The store at ``folder``, built by ``recipe`` where there is no whole one.

    The folder's name must tell apart everything that decides the content. DataError where the
    disk has no room.
    """
    with hold(folder.with_name(f"{folder.name}.lock")):
        try:
            return open_prepared(folder)
        except DataError:
            return _build(folder, recipe())


def open_prepared(folder: Path) -> Prepared:
    """The finished store at ``folder``; DataError where there is no whole one of this version."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
        if (manifest["schema"], manifest["version"]) != (SCHEMA, VERSION):
            raise ValueError(f"it is {manifest['schema']} version {manifest['version']}")
        key, count = str(manifest["key"]), int(manifest["count"])
        arrays = {str(name): _mapped(folder / f"{name}.npy") for name in manifest["arrays"]}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(
            f"{folder} holds no samples prepared by this version ({error}): prepare them again."
        ) from error
    return Prepared(folder=folder, key=key, count=count, arrays=arrays)


def _mapped(path: Path) -> NDArray[Any]:
    array: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    return array


def _build(folder: Path, recipe: Recipe) -> Prepared:
    partial = folder.with_name(f"{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        _require_room(partial, sum(spec.size_bytes for spec in recipe.specs))
        _fill(partial, recipe)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    shutil.rmtree(folder, ignore_errors=True)
    partial.rename(folder)
    return open_prepared(folder)


def _fill(partial: Path, recipe: Recipe) -> None:
    with ExitStack() as stack:
        writers = {
            spec.name: stack.enter_context(RowWriter(partial / f"{spec.name}.npy", spec))
            for spec in recipe.specs
        }
        key = recipe.fill(writers)
    manifest = {
        "schema": SCHEMA,
        "version": VERSION,
        "key": key,
        "count": recipe.specs[0].shape[0],
        "arrays": [spec.name for spec in recipe.specs],
    }
    write_json(partial / MANIFEST, manifest)


def _require_room(folder: Path, needed_bytes: int) -> None:
    free_bytes = shutil.disk_usage(folder).free
    if needed_bytes > free_bytes:
        raise DataError(
            f"Preparing needs {needed_bytes / 1e9:.1f} GB under {folder.parent}, which has "
            f"{free_bytes / 1e9:.1f} GB free: make room, or choose another cache folder "
            "with LOADPROOF_CACHE."
        )
