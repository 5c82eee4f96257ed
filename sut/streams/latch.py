"""The first failure of a stream, told once."""

from __future__ import annotations

import threading
from types import TracebackType

from sut.streams.contract import Fail


class Latch:
    """A context that hands the first exception raised inside it to ``fail`` and stops all of them.

    LoadGen's process dies by a signal when an exception leaves a callback, and a thread that ends
    by one leaves its samples waiting for ever; so nothing may escape. One latch serves all threads
    of a stream.
    """

    def __init__(self, fail: Fail) -> None:
        self.tripped = False
        self._fail = fail
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        if error is None:
            return False
        with self._lock:
            first, self.tripped = not self.tripped, True
        if first:
            self._fail(error)
        return True
