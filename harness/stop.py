"""Signals that ask this process to stop, remembered instead of raised wherever they strike."""

from __future__ import annotations

import signal
from types import FrameType, TracebackType

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopRequests:
    """A context in which SIGINT, SIGTERM and SIGHUP set :attr:`requested`."""

    def __init__(self) -> None:
        self.name = ""
        self._before: dict[signal.Signals, object] = {}

    @property
    def requested(self) -> bool:
        return bool(self.name)

    def request(self, name: str) -> None:
        """Ask to stop, as a signal called ``name`` would."""
        self.name = self.name or name

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        self.request(signal.Signals(number).name)

    def __enter__(self) -> StopRequests:
        for number in _SIGNALS:
            self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]
