"""One writer at a time, between processes.

The lock is the kernel's: it goes with the process that holds it, however that process ends, so a
lock file that was left behind never blocks anybody. The file itself stays, because removing it
would let two processes lock two different files of the same name.
"""

from __future__ import annotations

import contextlib
import fcntl
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

POLL_S = 0.1


@contextlib.contextmanager
def hold(path: Path, waiting: Callable[[], None] | None = None) -> Iterator[None]:
    """Wait for the lock file ``path`` (made with its folder where missing) and hold it.

    ``waiting`` is called again and again while another holds it; what it raises ends the wait. Not
    re-entrant: a process that holds ``path`` must not ask for it again.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        _take(file, waiting)
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)


def _take(file: IO[bytes], waiting: Callable[[], None] | None) -> None:
    if waiting is None:
        fcntl.flock(file, fcntl.LOCK_EX)
        return
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            time.sleep(POLL_S)
        else:
            return
