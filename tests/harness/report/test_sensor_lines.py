"""What is said of the sensors: means over the runs, the most of any, nothing where nothing is."""

from __future__ import annotations

from typing import Any

from harness.report.sensors import sensor_lines


def _level(mean: float, most: float) -> dict[str, float]:
    return {"min": 0.0, "mean": mean, "max": most}


def _record(cpu: dict[str, Any] | None = None, *gpus: dict[str, Any]) -> dict[str, Any]:
    told = {} if cpu is None else {"cpu": {"readings": 2, **cpu}}
    counted = [{"device": number, "readings": 2, **gpu} for number, gpu in enumerate(gpus)]
    return {"interval_s": 1.0, **told, "gpus": counted, "failed": []}


def test_runs_together_have_their_mean_and_their_most() -> None:
    runs = [
        _record({"others_percent": _level(1, 9), "temperature_c": _level(50, 61)}),
        _record({"others_percent": _level(5, 8), "temperature_c": _level(50, 60)}),
        None,
    ]
    assert dict(sensor_lines(runs)) == {"CPU": "others on 3 % of the cores, at most 61 °C"}


def test_each_gpu_has_its_line() -> None:
    busy = {
        "utilisation_percent": _level(97.4, 100),
        "memory_used_bytes": _level(1e9, 68.12e9),
        "power_w": _level(512, 690.4),
        "sm_clock_mhz": _level(1980, 1980),
        "power_cap_percent": _level(20, 100),
    }
    assert dict(sensor_lines([_record(None, busy, {"power_w": _level(80, 90)})])) == {
        "GPU 0": "busy 97 %, 68.1 GB, 512 W, at most 690 W, 1,980 MHz, "
        "at its power limit 20 % of the time",
        "GPU 1": "80 W, at most 90 W",
    }


def test_why_a_sensor_could_not_be_read_is_said_once() -> None:
    failed = {"failed": [{"sensor": "gpu 0", "cause": "nvidia-ml-py is not installed."}]}
    assert list(sensor_lines([_record() | failed] * 3)) == [
        ("GPU 0", "its sensor failed: nvidia-ml-py is not installed.")
    ]


def test_without_sensors_there_is_nothing_to_say() -> None:
    assert list(sensor_lines([None, _record(), _record({}, {})])) == []
