"""Server: samples arrive one by one and are batched as they wait."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from queue import Empty, SimpleQueue
from time import perf_counter_ns

import numpy as np

from sut.devices import Cores
from sut.streams.contract import Batch, Complete, Fail, Predict
from sut.streams.statistics import StreamStatistics
from sut.streams.workers import Workers

Waiting = tuple[int, int, int]
"""Response id, sample index, and when it was issued (``time.perf_counter_ns``)."""


class Batching:
    """An idle thread takes at once what waits, up to ``max_batch``.

    With ``max_delay_s`` it waits for more until the batch is full or its oldest sample is that
    old. The issuing thread only appends to a queue: it never takes a lock that a worker holds.
    """

    def __init__(
        self,
        predicts: Sequence[Predict],
        complete: Complete,
        fail: Fail,
        max_batch: int,
        max_delay_s: float = 0.0,
        cores: Sequence[Cores] = (),
    ) -> None:
        self._max_batch = max_batch
        self._max_delay_ns = round(max_delay_s * 1e9)
        self._queue: SimpleQueue[Waiting | None] = SimpleQueue()
        self._workers = Workers(predicts, complete, fail, self._batches(), cores)

    def issue(self, ids: list[int], indices: list[int]) -> None:
        """Queue the samples."""
        if self._workers.failed:
            return
        put = self._queue.put
        for waiting in zip(ids, indices, repeat(perf_counter_ns())):
            put(waiting)

    def flush(self) -> None:
        """Nothing waits longer than ``max_delay_s`` anyway."""

    def close(self) -> None:
        """Answer what was issued, then end the threads."""
        self._queue.put(None)
        self._workers.join()

    def statistics(self) -> StreamStatistics:
        """What happened so far."""
        return self._workers.statistics()

    def _batches(self) -> Iterator[Batch]:
        """Batches until the queue's end mark. Only one thread at a time is in here, so what
        ``qsize`` counted can be taken."""
        while (first := self._queue.get()) is not None:
            taken = self._take(first)
            yield _batch([waiting for waiting in taken if waiting])
            if taken[-1] is None:
                return

    def _take(self, first: Waiting) -> list[Waiting | None]:
        """``first`` and what goes with it; the queue's end mark, if met, comes last."""
        taken: list[Waiting | None] = [first]
        self._drain(taken)
        while self._max_delay_ns and taken[-1] is not None and len(taken) < self._max_batch:
            left_ns = first[2] + self._max_delay_ns - perf_counter_ns()
            if left_ns <= 0:
                break
            try:
                taken.append(self._queue.get(timeout=left_ns / 1e9))
            except Empty:
                break
            self._drain(taken)
        return taken

    def _drain(self, taken: list[Waiting | None]) -> None:
        get = self._queue.get_nowait
        for _ in range(min(self._queue.qsize(), self._max_batch - len(taken))):
            taken.append(get())


def _batch(taken: list[Waiting]) -> Batch:
    ids, indices, issued_ns = zip(*taken, strict=True)
    return Batch(ids, np.array(indices, dtype=np.int64), list(zip(issued_ns, repeat(1))))
