"""How many threads may run, the same for every backend.

A container's quota is invisible to the runtimes, which then start a thread for every core of the
host and throttle each other; so the budget is counted here and handed to them.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from datasets.errors import UsageError
from sut.sysfs import content

MOST_THREADS_A_CORE = 16
"""More is a slip of the hand: it exhausts the machine instead of measuring it."""


@dataclass(frozen=True)
class ThreadBudget:
    """What a run uses: each of ``streams`` sessions has ``threads`` intra-op threads."""

    streams: int
    threads: int
    cores: int
    """Usable ones."""

    @property
    def oversubscribed(self) -> bool:
        """Whether more threads than usable cores were asked for."""
        return self.streams * self.threads > self.cores

    def __str__(self) -> str:
        used = f"{self.streams} × {self.threads} threads on {self.cores} usable cores"
        return f"{used}, more than there are, as asked" if self.oversubscribed else used


def budget(streams: int | None, threads: int | None, cores: int) -> ThreadBudget:
    """The streams and threads asked for; what is left open (None) fills the cores, not more.

    One stream with all cores where both are open; always at least one of each. Raises UsageError
    for numbers under 1, and for more threads in all than any measurement can mean.
    """
    for name, asked in (("streams", streams), ("threads", threads)):
        if asked is not None and asked < 1:
            raise UsageError(f"{asked} {name} were asked for; at least 1 is needed.")
    if streams is None:
        streams = 1 if threads is None else max(1, cores // threads)
    made = ThreadBudget(streams, threads or max(1, cores // streams), cores)
    if made.streams * made.threads > MOST_THREADS_A_CORE * cores:
        raise UsageError(
            f"{made.streams} streams of {made.threads} threads were asked for, more than "
            f"{MOST_THREADS_A_CORE} threads on each of {cores} usable cores; ask for fewer."
        )
    return made


def usable_cores(root: Path = Path("/")) -> int:
    """Cores this process may keep busy: its affinity, cut to the tightest control-group quota."""
    return max(1, int(min(len(os.sched_getaffinity(0)), quota_cores(root))))


def quota_cores(root: Path = Path("/")) -> float:
    """The tightest quota, in cores, of this process's control groups, of version 1 and 2, and of
    all groups above them; infinite where there is none."""
    return min(_quotas(root), default=math.inf)


def _quotas(root: Path) -> Iterator[float]:
    for line in content(root / "proc/self/cgroup").splitlines():
        _, controllers, group = line.split(":", 2)
        for mount in _mounts(controllers):
            for folder in _upwards(root / "sys/fs/cgroup" / mount, group):
                yield from _quota_v1(folder) if controllers else _quota_v2(folder)


def _mounts(controllers: str) -> tuple[str, ...]:
    """Where under /sys/fs/cgroup a hierarchy may be mounted; version 2 lists no controllers."""
    if not controllers:
        return ("", "unified")
    return (controllers, "cpu") if "cpu" in controllers.split(",") else ()


def _upwards(mount: Path, group: str) -> Iterator[Path]:
    """The folder of ``group`` and those above it, up to the mount: a container may see only that,
    under a name of the host."""
    inside = PurePosixPath(group.lstrip("/"))
    for part in (inside, *inside.parents):
        yield mount / part


def _quota_v2(folder: Path) -> Iterator[float]:
    """``cpu.max``: quota and period in µs, or ``max``."""
    match content(folder / "cpu.max").split():
        case [quota, period] if quota != "max":
            yield int(quota) / int(period)


def _quota_v1(folder: Path) -> Iterator[float]:
    """``cpu.cfs_quota_us`` over ``cpu.cfs_period_us``; −1 is no quota."""
    quota, period = (content(folder / f"cpu.cfs_{name}_us") for name in ("quota", "period"))
    if quota and period and int(quota) > 0:
        yield int(quota) / int(period)
