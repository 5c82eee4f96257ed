"""SingleStream and MultiStream: answered in the thread that issues, since nothing overlaps."""

from __future__ import annotations

from sut.streams.contract import Complete, Fail, Predict
from sut.streams.lane import Lane
from sut.streams.latch import Latch
from sut.streams.query import Query
from sut.streams.statistics import StreamStatistics, total


class Inline:
    """Answers each query before ``issue`` returns; one larger than ``max_batch`` is cut."""

    def __init__(self, predict: Predict, complete: Complete, fail: Fail, max_batch: int) -> None:
        self._latch = Latch(fail)
        self._lane = Lane(predict, complete)
        self._max_batch = max_batch

    def issue(self, ids: list[int], indices: list[int]) -> None:
        """Answer the samples now."""
        if self._latch.tripped:
            return
        with self._latch:
            for batch in Query.now(ids, indices).batches(self._max_batch):
                self._lane.answer(batch)

    def flush(self) -> None:
        """Nothing waits."""

    def close(self) -> None:
        """There is no thread to end."""

    def statistics(self) -> StreamStatistics:
        """What happened so far."""
        return total([self._lane.tally])
