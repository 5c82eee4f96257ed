"""What the machine did while runs were measured, in a line for the processors and for each GPU."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

_Figures = Sequence[Mapping[str, float]]

_CPU: Mapping[str, Callable[[_Figures], str]] = {
    "others_percent": lambda seen: f"others on {_mean(seen):.0f} % of the cores",
    "steal_percent": lambda seen: f"steal {_mean(seen):.0f} %",
    "frequency_mhz": lambda seen: f"{_mean(seen):,.0f} MHz",
    "temperature_c": lambda seen: f"at most {_most(seen):.0f} °C",
}
_GPU: Mapping[str, Callable[[_Figures], str]] = {
    "utilisation_percent": lambda seen: f"busy {_mean(seen):.0f} %",
    "memory_used_bytes": lambda seen: f"{_most(seen) / 1e9:.1f} GB",
    "power_w": lambda seen: f"{_mean(seen):.0f} W, at most {_most(seen):.0f} W",
    "sm_clock_mhz": lambda seen: f"{_mean(seen):,.0f} MHz",
    "temperature_c": lambda seen: f"at most {_most(seen):.0f} °C",
    "power_cap_percent": lambda seen: f"at its power limit {_mean(seen):.0f} % of the time",
}


def sensor_lines(records: Iterable[Mapping[str, Any] | None]) -> Iterator[tuple[str, str]]:
    """``CPU`` and ``GPU 0`` … with what runs had on average, and at most; what no sensor told is
    left out, and a sensor that failed has its cause.

    ``records`` are the ``sensors`` of runs, None where a run has none.
    """
    told = [record for record in records if record]
    yield from _line("CPU", [record["cpu"] for record in told if "cpu" in record], _CPU)
    gpus: dict[int, list[Mapping[str, Any]]] = {}
    for record in told:
        for gpu in record["gpus"]:
            gpus.setdefault(gpu["device"], []).append(gpu)
    for number, seen in sorted(gpus.items()):
        yield from _line(f"GPU {number}", seen, _GPU)
    failed = [one for record in told for one in record["failed"]]
    for name, cause in {one["sensor"]: one["cause"] for one in failed}.items():
        yield name.upper(), f"its sensor failed: {cause}"


def _line(
    name: str,
    seen: Sequence[Mapping[str, Any]],
    words: Mapping[str, Callable[[_Figures], str]],
) -> Iterator[tuple[str, str]]:
    figures = {key: [one[key] for one in seen if key in one] for key in words}
    said = [words[key](values) for key, values in figures.items() if values]
    if said:
        yield name, ", ".join(said)


def _mean(seen: _Figures) -> float:
    return sum(one["mean"] for one in seen) / len(seen)


def _most(seen: _Figures) -> float:
    return max(one["max"] for one in seen)
