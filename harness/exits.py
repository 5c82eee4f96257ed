"""Exit codes, for the command line and for the child processes that speak to it."""

from __future__ import annotations

from datasets.errors import DeviceError, LoadproofError
from harness.stop import Interrupted

FINE = 0
FINDINGS = 1
USAGE = 2
DEVICE = 3
INTERRUPTED = 130


class StoppedError(LoadproofError):
    """The user, or the system, asked to stop."""


def code_for(error: BaseException) -> int:
    """The exit code that an error ends a command with."""
    if isinstance(error, DeviceError):
        return DEVICE
    if isinstance(error, StoppedError | KeyboardInterrupt | Interrupted):
        return INTERRUPTED
    return USAGE
