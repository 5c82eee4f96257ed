"""What the tests call in a child process, each function doing one thing that a chore may do."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
import time
from typing import Any

from datasets.errors import ModelError
from datasets.samples.prepared import Progress

FOREVER_S = 3600.0


def double(argument: Any, progress: Progress) -> Any:
    """Report progress, print, and return twice the argument."""
    progress(1, 2)
    sys.stdout.write("a runtime talks to the terminal\n")
    progress(2, 2)
    return {"doubled": argument["value"] * 2}


def refuse(argument: Any, _progress: Progress) -> Any:
    raise ModelError(f"{argument} is no model.")


def break_down(_argument: Any, _progress: Progress) -> Any:
    raise ZeroDivisionError("a defect")


def kill_itself(_argument: Any, _progress: Progress) -> Any:
    sys.stderr.write("last words\n")
    sys.stderr.flush()
    os.kill(os.getpid(), signal.SIGKILL)


def leave(_argument: Any, _progress: Progress) -> Any:
    os._exit(7)


def hang(_argument: Any, progress: Progress) -> Any:
    progress(1, 0)
    time.sleep(FOREVER_S)


def never_end(argument: Any, _progress: Progress) -> Any:
    """Return, but leave a thread behind that keeps the process alive."""
    threading.Thread(target=time.sleep, args=(FOREVER_S,)).start()
    return argument


def fill_the_disk(_argument: Any, _progress: Progress) -> Any:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/full")
