"""Progress of a run, shared through a mapped file of one fixed struct in the run folder.

The worker writes, the supervisor reads; neither locks. Each field is one aligned machine word,
stored as such (struct would first write zeros and then single bytes), so a reader sees old or new
values, never a mixture within one. The file stays: it is evidence.
"""

from __future__ import annotations

import mmap
import struct
import time
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

FILE_NAME = "progress.bin"
_FIELD = struct.Struct("=q")
_NAMES = ("phase", "total", "issued", "completed", "failed", "empty", "began_ns", "last_ns")
_PLACE = {name: index for index, name in enumerate(_NAMES)}
_SIZE = len(_NAMES) * _FIELD.size


class Phase(IntEnum):
    """Where a worker is."""

    STARTING = 0
    OPENING = 1
    WARMING = 2
    RUNNING = 3
    FINISHING = 4


@dataclass(frozen=True)
class Snapshot:
    """One reading. Counts are samples; times are of the monotonic clock, 0 where not yet."""

    phase: Phase
    total: int
    issued: int
    completed: int
    failed: int
    empty: int
    began_ns: int
    last_ns: int
    """When a sample last completed, or was issued after none were outstanding."""


class ProgressWriter:
    """The worker's side."""

    def __init__(self, folder: Path) -> None:
        path = folder / FILE_NAME
        path.write_bytes(bytes(_SIZE))
        with path.open("r+b") as file:
            self._fields = memoryview(mmap.mmap(file.fileno(), _SIZE)).cast("q")
        self._values = dict.fromkeys(_NAMES, 0)

    def _put(self, name: str, value: int) -> None:
        self._values[name] = value
        self._fields[_PLACE[name]] = value

    def enter(self, phase: Phase, total: int = 0) -> None:
        """Say where the worker is, and how many samples are expected (0: not known)."""
        if total:
            self._put("total", total)
        if phase is Phase.RUNNING:
            self._put("began_ns", time.monotonic_ns())
            self._put("last_ns", time.monotonic_ns())
        self._put("phase", int(phase))

    def issue(self, samples: int) -> None:
        if self._values["issued"] == self._values["completed"]:
            self._put("last_ns", time.monotonic_ns())
        self._put("issued", self._values["issued"] + samples)

    def complete(self, samples: int, empty: int) -> None:
        self._put("completed", self._values["completed"] + samples)
        self._put("last_ns", time.monotonic_ns())
        if empty:
            self._put("empty", self._values["empty"] + empty)

    def fail(self, samples: int) -> None:
        self._put("failed", self._values["failed"] + samples)

    @property
    def empty(self) -> int:
        return self._values["empty"]


def read_progress(folder: Path) -> Snapshot | None:
    """The latest reading, or None while the worker has not made the file."""
    try:
        raw = (folder / FILE_NAME).read_bytes()
    except FileNotFoundError:
        return None
    if len(raw) != _SIZE:
        return None
    phase, *rest = (value for (value,) in _FIELD.iter_unpack(raw))
    return Snapshot(Phase(phase), *rest)
