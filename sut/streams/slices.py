"""Offline: one large query, handed out in slices to whichever stream is free."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from queue import SimpleQueue

from sut.devices import Cores
from sut.streams.contract import Batch, Complete, Fail, Lengths, Predict
from sut.streams.query import Query
from sut.streams.statistics import StreamStatistics
from sut.streams.workers import Workers


class Slices:
    """One thread a predict; slices of ``max_batch`` are cut when a thread asks for one.

    With ``lengths`` the samples of a query are answered by falling length.
    """

    def __init__(
        self,
        predicts: Sequence[Predict],
        complete: Complete,
        fail: Fail,
        max_batch: int,
        lengths: Lengths | None = None,
        cores: Sequence[Cores] = (),
    ) -> None:
        self._max_batch = max_batch
        self._lengths = lengths
        self._queries: SimpleQueue[Query | None] = SimpleQueue()
        self._workers = Workers(predicts, complete, fail, self._batches(), cores)

    def issue(self, ids: list[int], indices: list[int]) -> None:
        """Take a query; its slices follow those of earlier ones."""
        if not self._workers.failed:
            self._queries.put(Query.now(ids.copy(), indices))

    def flush(self) -> None:
        """Nothing waits for more."""

    def close(self) -> None:
        """Answer what was issued, then end the threads."""
        self._queries.put(None)
        self._workers.join()

    def statistics(self) -> StreamStatistics:
        """What happened so far."""
        return self._workers.statistics()

    def _batches(self) -> Iterator[Batch]:
        while (query := self._queries.get()) is not None:
            ordered = query.longest_first(self._lengths) if self._lengths else query
            yield from ordered.batches(self._max_batch)
