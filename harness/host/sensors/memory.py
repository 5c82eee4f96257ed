"""Whether the machine is short of memory: what was swapped in, and who waited for memory."""

from __future__ import annotations

import re
import resource
import time
from collections.abc import Callable
from pathlib import Path

from datasets.sysfs import content
from harness.host.sensors.reading import Reading

_SWAPPED_IN = re.compile(r"^pswpin (\d+)$", re.MULTILINE)
_WAITED = re.compile(r"^some .*\btotal=(\d+)$", re.MULTILINE)


class Memory:
    """Swapping and memory pressure of the whole machine."""

    def __init__(self, root: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._root, self._clock = root, clock
        self._at_s = 0.0
        self._pages: int | None = None
        self._waited_us: int | None = None

    def read(self) -> Reading:
        at_s, pages, waited_us = self._at_s, self._pages, self._waited_us
        self._at_s = self._clock()
        self._pages = _number(_SWAPPED_IN, self._root / "proc/vmstat")
        self._waited_us = _number(_WAITED, self._root / "proc/pressure/memory")
        levels, counts = {}, {}
        if pages is not None and self._pages is not None:
            counts["swapped_in_bytes"] = (self._pages - pages) * resource.getpagesize()
        if waited_us is not None and self._waited_us is not None and self._at_s > at_s:
            share = (self._waited_us - waited_us) / 1e6 / (self._at_s - at_s)
            levels["memory_pressure_percent"] = 100 * min(1.0, share)
        return Reading(levels, counts)


def _number(pattern: re.Pattern[str], file: Path) -> int | None:
    found = pattern.search(content(file))
    return int(found[1]) if found else None
