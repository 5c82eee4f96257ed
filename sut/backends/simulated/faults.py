"""What a simulated device can do wrong."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.errors import BackendError
from sut.backends.simulated.options import SimulatedOptions

CLASSES = 1000


class Faults:
    """Counts the predict calls of a session and strikes at those that the options name."""

    def __init__(self, options: SimulatedOptions) -> None:
        self._calls = count(1)
        self._strikes: dict[int, Callable[[], None]] = {
            options.segfault_at: _segfault,
            options.exit_at: _exit,
            options.hang_at: _hang,
            options.raise_at: _raise,
        }

    def strike(self) -> None:
        """Count a call and do to it what was asked for, if anything."""
        strike = self._strikes.get(next(self._calls))
        if strike:
            strike()


def _raise() -> None:
    raise BackendError("The simulated device failed at this predict call, as option raise_at asks.")


def _hang() -> None:
    threading.Event().wait()


def _exit() -> None:
    os._exit(1)


def _segfault() -> None:
    ctypes.string_at(0)


def with_errors(answers: NDArray[Any], rate: float, seed: int) -> NDArray[Any]:
    """``answers`` float32 [B, …] with a share ``rate`` of the distinct rows made wrong.

    A row's own content decides, so that the same sample is answered alike in every batch and run.
    A label becomes the next class; anything larger changes its sign.
    """
    if rate == 0 or not len(answers):
        return answers
    wrong = _uniform(answers, seed) < rate
    spoiled = (answers + 1) % CLASSES if answers.ndim == 1 else -answers
    return np.where(wrong.reshape(-1, *[1] * (answers.ndim - 1)), spoiled, answers)


def _uniform(rows: NDArray[Any], seed: int) -> NDArray[np.float64]:
    """A number in [0, 1) for each row, from its bytes: a weighted sum, then SplitMix64's mixing."""
    words = np.ascontiguousarray(rows, dtype=np.float32).view(np.uint32).reshape(len(rows), -1)
    weights = np.random.PCG64(seed).random_raw(words.shape[1]) | np.uint64(1)
    mixed = (words * weights).sum(axis=1, dtype=np.uint64) + np.uint64(seed)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    mixed ^= mixed >> np.uint64(31)
    uniform: NDArray[np.float64] = mixed / 2.0**64
    return uniform
