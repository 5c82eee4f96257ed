"""The sensor of the processors and the memory, made of what /proc and /sys tell."""

from __future__ import annotations

import os
from pathlib import Path

from harness.host.sensors.clocks import Clocks
from harness.host.sensors.memory import Memory
from harness.host.sensors.processors import Processors
from harness.host.sensors.reading import Reading


class Cpu:
    """A :class:`harness.host.sensors.reading.Sensor` of the machine that ``worker`` runs on."""

    def __init__(self, worker: int, root: Path = Path("/")) -> None:
        cores = os.sched_getaffinity(0)
        self._parts = (Processors(worker, cores, root), Clocks(cores, root), Memory(root))

    def read(self) -> Reading:
        whole = Reading()
        for part in self._parts:
            whole |= part.read()
        return whole
