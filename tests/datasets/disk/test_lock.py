"""One writer at a time, and nobody blocked by the dead."""

from __future__ import annotations

import fcntl
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from datasets.disk.lock import hold

_HOLDER = """
import sys, time
from pathlib import Path
from datasets.disk.lock import hold
with hold(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(600)
"""


def _is_free(path: Path) -> bool:
    with path.open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def test_the_lock_is_held_inside_and_free_after(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / ".lock"
    with hold(path):
        assert not _is_free(path)
    assert _is_free(path)


def test_an_error_inside_frees_the_lock(tmp_path: Path) -> None:
    path = tmp_path / ".lock"
    with pytest.raises(RuntimeError), hold(path):
        raise RuntimeError
    assert _is_free(path)


def test_a_second_waits_for_the_first(tmp_path: Path) -> None:
    path, order = tmp_path / ".lock", []

    def second() -> None:
        with hold(path):
            order.append("second")

    waiting = threading.Thread(target=second)
    with hold(path):
        waiting.start()
        waiting.join(0.05)
        order.append("first")
    waiting.join()
    assert order == ["first", "second"]


def test_a_killed_process_gives_its_lock_back(tmp_path: Path) -> None:
    path = tmp_path / ".lock"
    command = [sys.executable, "-c", _HOLDER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        assert not _is_free(path)
        holder.kill()
    with hold(path):
        assert not _is_free(path)
