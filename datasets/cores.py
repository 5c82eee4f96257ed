"""How many cores this process may keep busy.

A container's quota is invisible to most libraries, which count the host's cores.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from datasets.sysfs import content


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
