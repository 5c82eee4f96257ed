"""Journalling the rows of an array while they are made.

Flushing takes a disk as long as making rows takes a processor, so it goes on in a thread of its
own, which computes nothing.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType

from datasets.samples.row_writer import RowWriter

CHECKPOINT_ROWS = 256
"""So many finished rows a kill may lose: less than a second's work, and enough for one flush."""


class Checkpoints:
    """Collects one record for every finished row, in order, and journals them now and then."""

    def __init__(self, writer: RowWriter, record_bytes: int) -> None:
        whole = len(writer.journal) // record_bytes * record_bytes
        self.records = bytearray(writer.journal[:whole])
        """Those of all finished rows, also of an earlier build's."""
        self._writer = writer
        self._record_bytes = record_bytes
        self._journalled = whole
        self._flushing: Future[None] | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="checkpoint")

    @property
    def rows(self) -> int:
        """Finished rows."""
        return len(self.records) // self._record_bytes

    def add(self, record: bytes) -> None:
        """The next row is written. OSError where rows before it can't be brought to disk."""
        self.records += record
        if len(self.records) - self._journalled >= CHECKPOINT_ROWS * self._record_bytes:
            self._wait()
            more = bytes(self.records[self._journalled :])
            self._flushing = self._thread.submit(self._writer.checkpoint, more)
            self._journalled = len(self.records)

    def _wait(self) -> None:
        if self._flushing is not None:
            self._flushing.result()

    def __enter__(self) -> Checkpoints:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._thread.shutdown()
        if kind is None:
            self._wait()
