"""A child process never outlives its parent, however the parent ends."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1
"""prctl(2): the signal that the kernel sends to this process when its parent ends."""


def die_with_parent(parent: int) -> None:
    """Ask the kernel to kill this process when ``parent`` ends; end at once if it already has."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)
