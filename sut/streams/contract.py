"""What a stream is given and what it offers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from sut.adapter import Answers
from sut.streams.statistics import Issued, StreamStatistics

Predict = Callable[[NDArray[np.int64]], Answers]
"""Sample indices [B] → their answers, in the same order. One thread calls it at a time, and is done
with the answers before it calls again."""

Lengths = Callable[[NDArray[np.int64]], NDArray[np.int64]]
"""Sample indices [N] → their lengths [N], in tokens."""

Complete = Callable[[Sequence[int], Answers], None]
"""Takes the ids of a batch and their answers; called from any thread. The stream keeps the
answers referenced until it returns."""

Fail = Callable[[BaseException], None]
"""Takes the first exception of any predict or complete; a stream calls it at most once."""


class Stream(Protocol):
    """Answers the samples issued to it."""

    def issue(self, ids: list[int], indices: list[int]) -> None:
        """Take samples, by response id and sample index; neither list is kept. Never raises for a
        failed prediction: that goes to ``fail``. Nothing may be issued after ``close``."""

    def flush(self) -> None:
        """No more samples come for now."""

    def close(self) -> None:
        """Answer what was issued, then end the stream's threads."""

    def statistics(self) -> StreamStatistics:
        """What happened so far; complete once closed."""


class Batch(NamedTuple):
    """Samples that are predicted together."""

    ids: Sequence[int]
    indices: NDArray[np.int64]
    issued: Issued
