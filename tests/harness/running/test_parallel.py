"""Tasks that are shared out give what they would give one by one, whatever becomes of a process."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from harness.running import parallel
from harness.running.parallel import run_tasks

SHARED = """
import os, signal, threading
from functools import partial
from harness.running.parallel import run_tasks

me, seen = os.getpid(), []

def task(number):
    if number == 5 and os.getpid() != me:
        os.kill(os.getpid(), signal.SIGKILL)
    return number, os.getpid()

answers = run_tasks([partial(task, n) for n in range(40)], lambda *done: seen.append(done), cores=3)
numbers, processes = zip(*answers)
assert numbers == tuple(range(40)), numbers
assert len(set(processes) - {me}) > 1, processes
assert processes[5] == me
assert seen[-1] == (39, 40), seen
try:
    os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    print("alone again")
hold = threading.Event()
threading.Thread(target=hold.wait).start()
answers = run_tasks([os.getpid] * 40, lambda *_: None, cores=3)
assert set(answers) == {me}
hold.set()
"""


def test_processes_share_tasks_and_a_killed_one_loses_none() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SHARED], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "alone again\n", "")


@pytest.mark.parametrize(("tasks", "cores"), [(40, 1), (3, 8), (0, 8)])
def test_few_tasks_or_cores_need_no_process(tasks: int, cores: int) -> None:
    counts: list[tuple[int, int]] = []
    answers = run_tasks([os.getpid] * tasks, lambda *done: counts.append(done), cores=cores)
    assert list(answers) == [os.getpid()] * tasks
    assert counts == [(done, tasks) for done in range(1, tasks + 1)]


def test_every_number_fits_into_the_pipe_of_tickets() -> None:
    assert parallel.MOST * 4 <= 65_536
