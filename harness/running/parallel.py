"""Sharing out tasks over the cores, in processes that were split off this one.

A process that is split off shares everything that was read before and copies nothing, but only one
that has no other thread may be split: a lock that another thread holds would never be freed. So
where there are other threads, or one core, the tasks are done here.

    tickets     a pipe with the number of each task; who takes a number does the task
    answers     a pipe for each process: (number of the task, what it returned)

A process that is killed loses its task, which is then done here. None outlives this one.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any

from datasets.cores import usable_cores
from harness.running.death import die_with_parent

Task = Callable[[], Any]
Progress = Callable[[int, int], None]
"""Told how many tasks are done, of how many."""

FEWEST = 8
"""Tasks that are worth another process."""
MOST = 16_000
"""Tasks whose numbers a pipe can hold: more are done here."""
_TICKET = struct.Struct("I")


def run_tasks(tasks: Sequence[Task], progress: Progress, cores: int | None = None) -> Iterator[Any]:
    """Call every task; what each returned, in the order of the tasks.

    ``cores`` is how many processes may work at once, the usable cores if not given. The work begins
    with the call, not with the first answer that is taken.
    """
    cores = usable_cores() if cores is None else cores
    if cores < 2 or not FEWEST <= len(tasks) <= MOST or not _is_alone():
        return _here(tasks, progress)
    return _Team.of(tasks, cores).answers(progress)


def _is_alone() -> bool:
    """Whether this process has no other thread, of Python's or of a library's."""
    return len(list(Path("/proc/self/task").iterdir())) == 1


def _here(tasks: Sequence[Task], progress: Progress) -> Iterator[Any]:
    for done, task in enumerate(tasks, start=1):
        yield task()
        progress(done, len(tasks))


@dataclass(frozen=True)
class _Team:
    """The processes that do the tasks, by the connection that each answers through."""

    tasks: Sequence[Task]
    members: dict[Connection, ForkProcess]

    @classmethod
    def of(cls, tasks: Sequence[Task], size: int) -> _Team:
        """Split off ``size`` processes; what there is by now is looked through for garbage in none
        of them, which would copy it."""
        gc.freeze()
        tickets, sold = os.pipe()
        os.write(sold, b"".join(map(_TICKET.pack, range(len(tasks)))))
        os.close(sold)
        members = dict(_started(tasks, tickets) for _ in range(min(size, len(tasks))))
        os.close(tickets)
        return cls(tasks, members)

    def answers(self, progress: Progress) -> Iterator[Any]:
        """Each task's, in order, as soon as those before it are there."""
        try:
            yield from self._in_order(progress)
        finally:
            for process in self.members.values():
                process.kill()
                process.join()

    def _in_order(self, progress: Progress) -> Iterator[Any]:
        waiting: dict[int, Any] = {}
        due = 0
        for number, answer in self._as_they_come():
            waiting[number] = answer
            progress(due + len(waiting), len(self.tasks))
            while due in waiting:
                yield waiting.pop(due)
                due += 1
        for number in range(due, len(self.tasks)):
            yield waiting.pop(number) if number in waiting else self.tasks[number]()

    def _as_they_come(self) -> Iterator[tuple[int, Any]]:
        open_ones = list(self.members)
        while open_ones:
            for connection in wait(open_ones):
                assert isinstance(connection, Connection)
                try:
                    yield connection.recv()
                except (EOFError, OSError):
                    open_ones.remove(connection)


def _started(tasks: Sequence[Task], tickets: int) -> tuple[Connection, ForkProcess]:
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(
        target=_work, args=(tasks, tickets, theirs, os.getpid()), daemon=True
    )
    process.start()
    theirs.close()
    return ours, process


def _work(tasks: Sequence[Task], tickets: int, answers: Connection, parent: int) -> None:
    """Do tasks until none is left; a signal ends this process without a word."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    die_with_parent(parent)
    with suppress(BrokenPipeError):
        while ticket := os.read(tickets, _TICKET.size):
            (number,) = _TICKET.unpack(ticket)
            answers.send((number, tasks[number]()))
