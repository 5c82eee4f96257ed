"""The sensor of one NVIDIA GPU, by NVML: the library of the driver, which needs no CUDA.

Functions and members are those of the package nvidia-ml-py; newer names come first, since each
driver and each version of the package has only some of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from datasets.errors import DeviceError
from harness.host.sensors.reading import Reading

_PCI_ORDER = "PCI_BUS_ID"


@dataclass(frozen=True)
class _Level:
    """How one level is asked for."""

    functions: tuple[str, ...]
    kind: str
    """Name of the constant that says which of several is wanted; empty where there is one only."""
    value: Callable[[Any], float]


_LEVELS: Mapping[str, _Level] = {
    "utilisation_percent": _Level(("nvmlDeviceGetUtilizationRates",), "", lambda seen: seen.gpu),
    "memory_used_bytes": _Level(("nvmlDeviceGetMemoryInfo",), "", lambda seen: seen.used),
    "power_w": _Level(("nvmlDeviceGetPowerUsage",), "", lambda milliwatts: milliwatts / 1000),
    "temperature_c": _Level(
        ("nvmlDeviceGetTemperatureV", "nvmlDeviceGetTemperature"), "NVML_TEMPERATURE_GPU", float
    ),
    "sm_clock_mhz": _Level(("nvmlDeviceGetClockInfo",), "NVML_CLOCK_SM", float),
}
_REASONS = ("nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons")
_SLOWDOWNS: Mapping[str, int] = {
    "thermal_slowdown_percent": 0x20 | 0x40,
    "power_cap_percent": 0x04,
    "hardware_slowdown_percent": 0x08 | 0x80,
}
"""Share of the readings in which a reason held → its bits of nvmlClocksEventReasons: SwThermal and
HwThermal, SwPowerCap, HwSlowdown and HwPowerBrake."""


class NvidiaGpu:
    """A :class:`harness.host.sensors.reading.Sensor` of the GPU that CUDA counts as ``index``."""

    def __init__(self, index: int, nvml: Any) -> None:
        """``nvml`` is the module pynvml. DeviceError where the GPU can't be told for certain;
        what NVML raises where there is no driver or no such GPU."""
        self._nvml = nvml
        nvml.nvmlInit()
        self._handle = _handle(nvml, index, os.environ)

    def read(self) -> Reading:
        levels = {}
        for name, level in _LEVELS.items():
            kind = (getattr(self._nvml, level.kind),) if level.kind else ()
            seen = self._asked(level.functions, *kind)
            if seen is not None:
                levels[name] = float(level.value(seen))
        reasons = self._asked(_REASONS)
        if reasons is not None:
            levels |= {name: 100.0 * bool(reasons & bits) for name, bits in _SLOWDOWNS.items()}
        return Reading(levels)

    def _asked(self, functions: tuple[str, ...], *arguments: Any) -> Any:
        """The first answer of these functions; None where this GPU or driver gives none."""
        for function in functions:
            if hasattr(self._nvml, function):
                try:
                    return getattr(self._nvml, function)(self._handle, *arguments)
                except self._nvml.NVMLError:
                    continue
        return None


def open_gpu(index: int) -> NvidiaGpu:
    """The GPU that CUDA counts as ``index`` in the child of a run. DeviceError where nvidia-ml-py
    is not installed."""
    try:
        import pynvml
    except ImportError as error:
        raise DeviceError(
            "nvidia-ml-py is not installed, so that nothing tells what the GPU did; install "
            "loadproof's extra gpu or tf-gpu."
        ) from error
    return NvidiaGpu(index, pynvml)


def _handle(nvml: Any, index: int, environment: Mapping[str, str]) -> Any:
    """NVML counts all GPUs in the order of their PCI addresses; CUDA only those that
    CUDA_VISIBLE_DEVICES lets it see, in that order."""
    visible = environment.get("CUDA_VISIBLE_DEVICES", "").strip()
    names = [name.strip() for name in visible.split(",")] if visible else []
    if names and index >= len(names):
        raise DeviceError(f"CUDA_VISIBLE_DEVICES is {visible}, which has no device {index}.")
    name = names[index] if names else str(index)
    if not name.isdigit():
        return nvml.nvmlDeviceGetHandleByUUID(name)
    order = environment.get("CUDA_DEVICE_ORDER", _PCI_ORDER)
    if order != _PCI_ORDER and nvml.nvmlDeviceGetCount() > 1:
        raise DeviceError(
            f"CUDA_DEVICE_ORDER is {order}, by which the driver does not say which GPU device "
            f"{index} is; set {_PCI_ORDER}."
        )
    return nvml.nvmlDeviceGetHandleByIndex(int(name))
