"""What stands between prepared samples and a model: batches from samples, answers from outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sut.backend import Arrays


@dataclass(frozen=True)
class Answers:
    """The answers of one batch, laid end to end in one buffer.

    ``data`` is C-contiguous and must stay referenced until LoadGen has taken the bytes; answer i
    is ``sizes[i]`` bytes at ``offsets[i]`` (both int64, [B]). A size of 0 is an empty answer.
    """

    data: NDArray[Any]
    offsets: NDArray[np.int64]
    sizes: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.sizes)


@lru_cache(maxsize=256)
def even_layout(count: int, size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Offsets and sizes, both [count] and read-only, of answers of ``size`` bytes each."""
    layout = np.arange(count, dtype=np.int64) * size, np.full(count, size, np.int64)
    for array in layout:
        array.flags.writeable = False
    return layout


@dataclass(frozen=True)
class Needs:
    """How the model wants its samples prepared. Only what applies to the benchmark is set."""

    layout: str = ""
    """ResNet50: ``NCHW`` or ``NHWC``."""
    dtype: str = ""
    """``float32`` for images; ``int64`` or ``int32`` for token ids."""


class Adapter(Protocol):
    """Drives one model of one benchmark. Holds no session and no data; safe to share."""

    needs: Needs
    outputs: tuple[str, ...]
    """Names of the outputs to ask the backend for."""
    max_batch: int | None
    """The batch that the model's own shape imposes, or None."""
    facts: Mapping[str, str]
    """What was detected about the model, for people: ``{"layout": "NCHW", "answer": "ArgMax"}``."""

    def feeds(self, samples: Arrays) -> Arrays:
        """The model's inputs for a batch of prepared samples."""

    def answers(self, outputs: Sequence[NDArray[Any]], samples: Arrays) -> Answers:
        """The logged answers. Raises ModelError where the outputs don't fit the batch."""
