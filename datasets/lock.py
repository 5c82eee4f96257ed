"""One writer at a time, between processes.

The lock is the kernel's: it goes with the process that holds it, however that process ends, so a
lock file that was left behind never blocks anybody. The file itself stays, because removing it
would let two processes lock two different files of the same name.
"""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def hold(path: Path) -> Iterator[None]:
    """Wait for the lock file ``path`` (made with its folder where missing) and hold it.

    Not re-entrant: a process that holds ``path`` must not ask for it again.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)
