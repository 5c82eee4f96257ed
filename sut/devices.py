"""Which devices were asked for, and which cores lie near them.

GPUs are counted in the order of their PCI addresses, as the driver's tools do; CUDA counts the same
way only under ``CUDA_DEVICE_ORDER=PCI_BUS_ID``. Where the system does not tell, no core is near:
an empty set, and nothing is pinned.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from datasets.errors import UsageError
from datasets.sysfs import content

Cores = frozenset[int]
"""Numbers of logical cores, as the system counts them; empty where nothing is known."""

_NVIDIA = "0x10de"
_DISPLAY_CLASS = "0x03"
_ITEM = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?")


def parse_devices(text: str) -> tuple[int, ...]:
    """``0-3,8`` → (0, 1, 2, 3, 8), in the order given.

    Raises UsageError where it is not such a list or names a device twice.
    """
    numbers = tuple(number for item in text.split(",") for number in _range(item.strip(), text))
    twice = [number for number, times in Counter(numbers).items() if times > 1]
    if twice:
        raise UsageError(f"The devices {text!r} name device {min(twice)} twice; name each once.")
    return numbers


def _range(item: str, text: str) -> range:
    match = _ITEM.fullmatch(item)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if first > last:
        raise UsageError(
            f"The devices {text!r} hold {item!r}, which is neither a number nor a rising range; "
            "write them like 0-3,8."
        )
    return range(first, last + 1)


def gpu_cores(index: int, root: Path = Path("/")) -> Cores:
    """The cores of the NUMA node that GPU ``index`` hangs on, as /sys under ``root`` tells."""
    gpus = _gpu_folders(root)
    if index >= len(gpus):
        return frozenset()
    node = content(gpus[index] / "numa_node")
    if not node.isdigit():
        return frozenset()
    listed = content(root / "sys/devices/system/node" / f"node{node}" / "cpulist")
    return frozenset(parse_devices(listed)) if listed else frozenset()


def _gpu_folders(root: Path) -> list[Path]:
    """NVIDIA's display and 3D controllers by PCI address: no onboard graphics of servers."""
    return sorted(
        folder
        for folder in (root / "sys/bus/pci/devices").glob("*")
        if content(folder / "vendor") == _NVIDIA
        and content(folder / "class").startswith(_DISPLAY_CLASS)
    )


def pin(cores: Cores) -> Cores:
    """Keep the calling thread on those of ``cores`` that it may use, if any; says which."""
    allowed = cores & os.sched_getaffinity(0)
    if allowed:
        os.sched_setaffinity(0, allowed)
    return allowed


@contextlib.contextmanager
def near(cores: Cores) -> Iterator[Cores]:
    """Keep the calling thread on ``cores`` meanwhile: threads that a runtime starts inherit it."""
    before = os.sched_getaffinity(0)
    try:
        yield pin(cores)
    finally:
        os.sched_setaffinity(0, before)
