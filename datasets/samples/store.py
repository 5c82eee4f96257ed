"""Prepared samples on disk: built once, mapped read-only ever after.

A store is a folder of ``.npy`` files and a manifest. It is built beside its final name and renamed
when everything in it is on disk, under a lock, so that a half-written store is never taken for a
whole one and two processes never build the same one twice. A build that was killed is gone on
with where its writers left a journal; one that failed for what it was made of leaves nothing.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.disk.files import write_json
from datasets.disk.lock import hold
from datasets.disk.space import lack_of_space
from datasets.errors import DataError
from datasets.samples.prepared import Prepared
from datasets.samples.row_writer import ArraySpec, RowWriter, array_path

__all__ = ["ArraySpec", "Fill", "Recipe", "RowWriter", "obtain", "open_prepared"]

MANIFEST = "manifest.json"
SCHEMA = "loadproof.prepared"
VERSION = 2
_BLOCK_BYTES = 512
"""The unit of ``st_blocks``, whatever the file system's own blocks are."""

Fill = Callable[[Mapping[str, RowWriter]], str]
"""Writes every row of every array; returns the key of what it wrote."""


@dataclass(frozen=True)
class Recipe:
    """How a store is built: its arrays, which share their first axis, and what fills them."""

    specs: Sequence[ArraySpec]
    fill: Fill
    means: Mapping[str, NDArray[np.float32]] = field(default_factory=dict)
    """See :attr:`datasets.samples.prepared.Prepared.means`."""


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
        return Prepared(
            folder=folder,
            key=str(manifest["key"]),
            count=int(manifest["count"]),
            arrays={name: _mapped(array_path(folder, name)) for name in manifest["arrays"]},
            means={name: np.array(mean, np.float32) for name, mean in manifest["means"].items()},
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(
            f"{folder} holds no samples prepared by this version ({error}): prepare them again."
        ) from error


def _mapped(path: Path) -> NDArray[Any]:
    array: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    return array


def _build(folder: Path, recipe: Recipe) -> Prepared:
    partial = folder.with_name(f"{folder.name}.partial")
    partial.mkdir(parents=True, exist_ok=True)
    try:
        _require_room(partial, sum(spec.size_bytes for spec in recipe.specs))
        _fill(partial, recipe)
    except DataError:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    shutil.rmtree(folder, ignore_errors=True)
    partial.rename(folder)
    return open_prepared(folder)


def _fill(partial: Path, recipe: Recipe) -> None:
    with ExitStack() as stack:
        writers = {
            spec.name: stack.enter_context(RowWriter(partial, spec)) for spec in recipe.specs
        }
        key = recipe.fill(writers)
    manifest = {
        "schema": SCHEMA,
        "version": VERSION,
        "key": key,
        "count": recipe.specs[0].shape[0],
        "arrays": [spec.name for spec in recipe.specs],
        "means": {name: mean.tolist() for name, mean in recipe.means.items()},
    }
    write_json(partial / MANIFEST, manifest)
    for writer in writers.values():
        writer.forget_journal()


def _require_room(folder: Path, needed_bytes: int) -> None:
    held_bytes = sum(path.stat().st_blocks * _BLOCK_BYTES for path in folder.iterdir())
    problem = lack_of_space(folder.parent, needed_bytes - held_bytes)
    if problem:
        raise DataError(f"Preparing {problem}.")
