"""How much processor time a process and its descendants have used, as /proc tells.

Looking only at the family, not at all processes of the machine, costs the same on a busy server.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from datasets.sysfs import content

_USER, _REAPED_SYSTEM = 11, 14
"""Places of utime and cstime in /proc/PID/stat, counted behind the name of the program."""


def own_ticks(pid: int, root: Path) -> int | None:
    """Of process ``pid`` alone, in ticks of the system; None where it has ended."""
    times = _times(pid, root)
    return sum(times[:2]) if times else None


def whole_ticks(pid: int, root: Path) -> int | None:
    """Of process ``pid`` and of those it has waited for; None where it has ended."""
    times = _times(pid, root)
    return sum(times) if times else None


def descendants(pid: int, root: Path) -> Iterator[int]:
    """Those that process ``pid`` has now; each is listed with the thread that started it."""
    for file in (root / f"proc/{pid}/task").glob("*/children"):
        for child in map(int, content(file).split()):
            yield child
            yield from descendants(child, root)


def _times(pid: int, root: Path) -> list[int]:
    """utime, stime, cutime, cstime."""
    behind_name = content(root / f"proc/{pid}/stat").rpartition(")")[2].split()
    return [int(word) for word in behind_name[_USER : _REAPED_SYSTEM + 1]]
