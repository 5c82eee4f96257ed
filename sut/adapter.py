"""What stands between prepared samples and a model: batches from samples, answers from outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from numpy.typing import NDArray

from sut.backend import Arrays


@dataclass(frozen=True)
class Answers:
    """The answers of one batch: answer i is the first ``sizes[i]`` bytes of row i of ``data``.

    It must stay referenced until LoadGen has taken the bytes.
    """

    data: NDArray[Any]
    """[B, …], C-contiguous."""
    sizes: Sequence[int] | None = None
    """[B]; 0 is an empty answer. None: each answer is its whole row."""

    def __len__(self) -> int:
        return len(self.data)

    def texts(self) -> list[bytes]:
        """A copy of each answer's bytes."""
        rows = [row.tobytes() for row in self.data]
        if self.sizes is None:
            return rows
        return [row[:size] for row, size in zip(rows, self.sizes, strict=True)]


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
