"""Signals that ask this process to stop.

They are raised as :class:`Interrupted` where they strike, except inside a :class:`StopRequests`,
which remembers them until a good moment. A signal that was ignored when the process began (nohup)
stays ignored.
"""

from __future__ import annotations

import signal
from types import FrameType, TracebackType

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(BaseException):
    """A signal struck; the message says which. No Exception, so that nothing on the way takes it
    for a failure, and no KeyboardInterrupt, which the command line's library answers itself."""


def heed_signals() -> None:
    """From now on the signals raise Interrupted."""
    for number in _heeded():
        signal.signal(number, _interrupt)


def ignore_signals() -> None:
    """From now on nothing changes how this process ends."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def _heeded() -> list[signal.Signals]:
    return [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]


def _interrupt(number: int, _frame: FrameType | None) -> None:
    raise Interrupted(f"Stopped by {signal.Signals(number).name}.")


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
        for number in _heeded():
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
