"""Who uses the processors besides the run: other processes, and the hypervisor."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from datasets.cores import quota_cores
from datasets.sysfs import content
from harness.host.sensors.processes import descendants, own_ticks, whole_ticks
from harness.host.sensors.reading import Reading


@dataclass(frozen=True)
class _Ticks:
    """Since the system was started, over the processors that the run may use."""

    busy: int
    stolen: int
    all: int
    own: int


class Processors:
    """Shares of the processors' time; see :class:`harness.host.sensors.reading.Sensor`.

    Where a quota leaves the run fewer cores than it may be scheduled on, others use the spare ones
    first: only what they take of the run's own counts.
    """

    def __init__(self, worker: int, cores: Collection[int], root: Path) -> None:
        """``worker`` is the process that is measured; this one supervises it and counts as own."""
        self._worker, self._root = worker, root
        self._lines = {f"cpu{core}" for core in cores}
        self._usable_share = min(1.0, quota_cores(root) / len(cores))
        self._helpers: tuple[int, ...] | None = None
        self._before: _Ticks | None = None

    def read(self) -> Reading:
        before, now = self._before, self._ticks()
        self._before = now
        if before is None or now is None or now.all <= before.all:
            return Reading()
        whole = now.all - before.all
        busy, own = now.busy - before.busy, now.own - before.own
        levels = {
            "others_percent": self._taken((busy - own) / whole),
            "steal_percent": 100 * min(1.0, max(0.0, (now.stolen - before.stolen) / whole)),
        }
        return Reading(levels)

    def _taken(self, share: float) -> float:
        """In percent of the cores that the run may keep busy; ``share`` is of all."""
        spare = 1 - self._usable_share
        return 100 * min(1.0, max(0.0, (share - spare) / self._usable_share))

    def _ticks(self) -> _Ticks | None:
        """None where the system tells nothing, or the worker has ended."""
        own = self._own()
        rows = [
            [int(word) for word in words]
            for name, *words in map(str.split, content(self._root / "proc/stat").splitlines())
            if name in self._lines and len(words) >= _COLUMNS
        ]
        if own is None or not rows:
            return None
        user, nice, system, idle, waiting, interrupts, softly, stolen = (
            sum(column) for column in zip(*(row[:_COLUMNS] for row in rows), strict=True)
        )
        busy = user + nice + system + interrupts + softly
        return _Ticks(busy, stolen, busy + idle + waiting + stolen, own)

    def _own(self) -> int | None:
        """Of the worker, of the processes that it had when it was first looked at, and of this one;
        None where the worker has ended."""
        worker = whole_ticks(self._worker, self._root)
        if worker is None:
            return None
        if self._helpers is None:
            self._helpers = tuple(descendants(self._worker, self._root))
        helpers = sum(whole_ticks(pid, self._root) or 0 for pid in self._helpers)
        return worker + helpers + (own_ticks(os.getpid(), self._root) or 0)


_COLUMNS = 8
"""Of /proc/stat, up to steal; guests' time behind them is contained in user and nice."""
