"""The GPU by NVML: what it says, what it can't say, and which one it is."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from datasets.errors import DeviceError
from harness.host.sensors import nvidia
from harness.host.sensors.nvidia import NvidiaGpu, open_gpu
from tests.harness.host.sensors.machines import FakeNvml, NvmlError


@pytest.fixture(autouse=True)
def _no_choice_of_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"):
        monkeypatch.delenv(name, raising=False)


def _levels(**answers: Any) -> dict[str, float]:
    return dict(NvidiaGpu(0, FakeNvml(**answers)).read().levels)


def test_a_gpu_tells_its_levels_in_their_units() -> None:
    assert _levels() == {
        "utilisation_percent": 93.0,
        "memory_used_bytes": 7 << 30,
        "power_w": 512.345,
        "temperature_c": 61.0,
        "sm_clock_mhz": 1980.0,
        "thermal_slowdown_percent": 0.0,
        "power_cap_percent": 0.0,
        "hardware_slowdown_percent": 0.0,
    }


@pytest.mark.parametrize(
    ("reasons", "name"),
    [
        (0x20, "thermal_slowdown_percent"),
        (0x40, "thermal_slowdown_percent"),
        (0x04, "power_cap_percent"),
        (0x08, "hardware_slowdown_percent"),
        (0x80, "hardware_slowdown_percent"),
        (0x01 | 0x02 | 0x10 | 0x100, ""),
    ],
)
def test_each_reason_for_a_lower_clock_is_told_apart(reasons: int, name: str) -> None:
    found = _levels(nvmlDeviceGetCurrentClocksThrottleReasons=reasons)
    held = [key for key in nvidia._SLOWDOWNS if found[key]]
    assert held == ([name] if name else [])


def test_what_a_gpu_does_not_support_is_absent() -> None:
    unsupported = NvmlError("Not Supported")
    found = _levels(
        nvmlDeviceGetUtilizationRates=unsupported,
        nvmlDeviceGetCurrentClocksThrottleReasons=unsupported,
    )
    assert set(found) == {"memory_used_bytes", "power_w", "temperature_c", "sm_clock_mhz"}


def test_newer_names_come_first_and_older_ones_serve_where_the_driver_lacks_them() -> None:
    assert _levels(nvmlDeviceGetTemperatureV=70)["temperature_c"] == 70
    assert _levels(nvmlDeviceGetTemperatureV=NvmlError("Function Not Found"))["temperature_c"] == 61


@pytest.mark.parametrize(
    ("visible", "index", "handle"),
    [
        ("", 1, "GPU number 1"),
        ("3,1", 1, "GPU number 1"),
        ("3, 1", 0, "GPU number 3"),
        ("GPU-aa,MIG-bb", 1, "GPU called MIG-bb"),
    ],
)
def test_the_gpu_is_the_one_that_cuda_counts_so(
    monkeypatch: pytest.MonkeyPatch, visible: str, index: int, handle: str
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    nvml = FakeNvml()
    NvidiaGpu(index, nvml).read()
    assert set(nvml.asked) == {"init", handle}


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [("CUDA_VISIBLE_DEVICES", "0", "no device 1"), ("CUDA_DEVICE_ORDER", "FASTEST_FIRST", "PCI")],
)
def test_a_gpu_that_can_not_be_told_for_certain_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, said: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(DeviceError, match=said):
        NvidiaGpu(1, FakeNvml())


def test_without_the_package_the_cause_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pynvml", None)
    with pytest.raises(DeviceError, match="nvidia-ml-py is not installed"):
        open_gpu(0)


def test_the_package_has_every_name_that_is_used() -> None:
    pynvml = pytest.importorskip("pynvml", reason="nvidia-ml-py is not installed")
    used = [*nvidia._REASONS, "nvmlInit", "nvmlDeviceGetCount", "nvmlDeviceGetHandleByIndex"]
    used += ["nvmlDeviceGetHandleByUUID", "NVMLError"]
    for level in nvidia._LEVELS.values():
        used += [*level.functions, *([level.kind] if level.kind else [])]
    assert [name for name in used if not hasattr(pynvml, name)] == []
    for name, value in {
        "NVML_TEMPERATURE_GPU": FakeNvml.NVML_TEMPERATURE_GPU,
        "NVML_CLOCK_SM": FakeNvml.NVML_CLOCK_SM,
    }.items():
        assert getattr(pynvml, name) == value


def test_the_bits_are_those_that_the_package_names() -> None:
    pynvml = pytest.importorskip("pynvml", reason="nvidia-ml-py is not installed")
    named = {
        "thermal_slowdown_percent": ("SwThermalSlowdown", "HwThermalSlowdown"),
        "power_cap_percent": ("SwPowerCap",),
        "hardware_slowdown_percent": ("HwSlowdown", "HwPowerBrakeSlowdown"),
    }
    for name, reasons in named.items():
        bits = sum(getattr(pynvml, f"nvmlClocksThrottleReason{reason}") for reason in reasons)
        assert nvidia._SLOWDOWNS[name] == bits


def test_what_memory_and_utilisation_answer_has_the_members_that_are_read() -> None:
    pynvml = pytest.importorskip("pynvml", reason="nvidia-ml-py is not installed")
    assert "used" in dict(pynvml.c_nvmlMemory_t._fields_)
    assert "gpu" in dict(pynvml.c_nvmlUtilization_t._fields_)
