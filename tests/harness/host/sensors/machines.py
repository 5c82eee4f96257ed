"""Machines to read sensors of: trees of files as /proc and /sys have them, and a fake of NVML."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

WORKER = 4711


def write(root: Path, files: Mapping[str, object]) -> None:
    """Files under ``root``, each with its content."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n")


def process(pid: int, user: int, system: int = 0, reaped: int = 0) -> dict[str, str]:
    """A process under a name that could be mistaken for fields, with its times in ticks."""
    before, after = " ".join(["1"] * 10), " ".join(["0"] * 30)
    times = f"{user} {system} {reaped} 0"
    return {f"proc/{pid}/stat": f"{pid} (a) 9 (b) R {before} {times} {after}"}


def supervisor(user: int) -> dict[str, str]:
    """The process that reads the sensors, with time of children that does not count."""
    return process(os.getpid(), user, reaped=100_000)


def processors(*rows: tuple[int, int, int]) -> dict[str, str]:
    """/proc/stat of processors that were (busy, idle, stolen) for so many ticks."""
    lines = [
        f"cpu{core} {busy} 0 0 {idle} 0 0 0 {stolen} 0 0"
        for core, (busy, idle, stolen) in enumerate(rows)
    ]
    return {"proc/stat": "\n".join(["cpu 1 2 3 4 5 6 7 8 9 10", *lines, "intr 1 2 3"])}


class NvmlError(Exception):
    """What a fake of NVML raises."""


class FakeNvml:
    """NVML on a machine of two GPUs; ``answers`` replaces what a function returns or raises."""

    NVMLError = NvmlError
    NVML_TEMPERATURE_GPU = 0
    NVML_CLOCK_SM = 1

    def __init__(self, **answers: Any) -> None:
        self.asked: list[Any] = []
        known = {
            "nvmlDeviceGetUtilizationRates": SimpleNamespace(gpu=93, memory=40),
            "nvmlDeviceGetMemoryInfo": SimpleNamespace(used=7 << 30, free=1, total=8 << 30),
            "nvmlDeviceGetPowerUsage": 512_345,
            "nvmlDeviceGetTemperature": 61,
            "nvmlDeviceGetClockInfo": 1980,
            "nvmlDeviceGetCurrentClocksThrottleReasons": 0,
        }
        for name, answer in (known | answers).items():
            setattr(self, name, self._function(answer))

    def _function(self, answer: Any) -> Any:
        def called(handle: object, *_: object) -> Any:
            self.asked.append(handle)
            if isinstance(answer, Exception):
                raise answer
            return answer

        return called

    def nvmlInit(self) -> None:  # noqa: N802 — NVML's name
        self.asked.append("init")

    def nvmlDeviceGetCount(self) -> int:  # noqa: N802
        return 2

    def nvmlDeviceGetHandleByIndex(self, index: int) -> str:  # noqa: N802
        return f"GPU number {index}"

    def nvmlDeviceGetHandleByUUID(self, uuid: str) -> str:  # noqa: N802
        return f"GPU called {uuid}"
