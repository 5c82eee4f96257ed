"""Memory for batches: new each time, or the same again and again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Room = Callable[[str, int, NDArray[Any]], NDArray[Any]]
"""(name, rows, like) → an array [rows, …] of the row shape and type of ``like``, to be written."""


def new_room(_name: str, rows: int, like: NDArray[Any]) -> NDArray[Any]:
    """Memory that nobody else has."""
    return np.empty((rows, *like.shape[1:]), like.dtype)


class ReusedRoom:
    """The same memory for every batch of one thread, as large as its largest.

    The system hands out large blocks page by page at their first touch, which costs more than to
    copy a batch of images into memory that is there.
    """

    def __init__(self) -> None:
        self._held: dict[str, NDArray[Any]] = {}

    def __call__(self, name: str, rows: int, like: NDArray[Any]) -> NDArray[Any]:
        held = self._held.get(name)
        if held is None or len(held) < rows or not _alike(held, like):
            held = self._held[name] = new_room(name, rows, like)
        return held[:rows]


def _alike(held: NDArray[Any], like: NDArray[Any]) -> bool:
    return held.shape[1:] == like.shape[1:] and held.dtype == like.dtype
