"""Which sensors a run has: the processors' always, and one for each GPU that it uses."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from harness.host.sensors.cpu import Cpu
from harness.host.sensors.nvidia import open_gpu
from harness.host.sensors.reading import Source


def cpu_source(worker: int) -> Source:
    """The processors under the process ``worker``."""
    return Source("cpu", None, partial(Cpu, worker))


def gpu_sources(device: str, indices: Iterable[int]) -> list[Source]:
    """The GPUs with these numbers; none where ``device`` is another kind."""
    if device != "gpu":
        return []
    return [Source("gpu", index, partial(open_gpu, index)) for index in indices]
