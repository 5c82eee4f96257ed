"""Threads that take batches from one source and answer them, one thread a predict."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

from sut.devices import Cores, pin
from sut.streams.contract import Batch, Complete, Fail, Predict
from sut.streams.lane import Lane
from sut.streams.latch import Latch
from sut.streams.statistics import StreamStatistics, total


class Workers:
    """Runs until the source of batches ends or anything fails.

    The source is advanced by one thread at a time, so it may be an ordinary generator; a thread
    that waits for the next batch waits inside it. ``cores[i]``, where given, are the cores that the
    thread of ``predicts[i]`` is kept on.
    """

    def __init__(
        self,
        predicts: Sequence[Predict],
        complete: Complete,
        fail: Fail,
        batches: Iterator[Batch],
        cores: Sequence[Cores] = (),
    ) -> None:
        self._latch = Latch(fail)
        self._batches = batches
        self._turn = threading.Lock()
        self._lanes = [Lane(predict, complete) for predict in predicts]
        places = list(cores) or [frozenset()] * len(self._lanes)
        self._threads = [
            threading.Thread(target=self._run, args=(lane, place), name=f"stream-{i}", daemon=True)
            for i, (lane, place) in enumerate(zip(self._lanes, places, strict=True))
        ]
        for thread in self._threads:
            thread.start()

    @property
    def failed(self) -> bool:
        """Whether ``fail`` was called: work is dropped from then on."""
        return self._latch.tripped

    def join(self) -> None:
        """Wait for all threads; the source must have been told to end."""
        for thread in self._threads:
            thread.join()

    def statistics(self) -> StreamStatistics:
        """What the threads counted so far."""
        return total(lane.tally for lane in self._lanes)

    def _run(self, lane: Lane, cores: Cores) -> None:
        with self._latch:
            pin(cores)
            while (batch := self._next()) is not None and not self.failed:
                lane.answer(batch)

    def _next(self) -> Batch | None:
        with self._turn:
            return next(self._batches, None)
