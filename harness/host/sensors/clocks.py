"""How fast and how warm the processors are, and whether heat held them back.

Reading such a file may wake the core that it tells of, so only some cores are looked at on a large
machine.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from datasets.sysfs import content
from harness.host.sensors.reading import Reading

MOST_CORES = 16
"""That are looked at, spread evenly over those that the run may use."""
_CHIPS = frozenset({"coretemp", "k10temp", "zenpower"})
"""Drivers of processors' own thermometers; others' are the board's."""
_WHOLE = ("Package id", "Physical id", "Tctl", "Tdie")
"""Labels of the temperature of a whole processor; those of single cores would wake them."""
_ZONES = frozenset({"x86_pkg_temp", "cpu-thermal", "cpu_thermal"})
_SYSTEM_CPU = "sys/devices/system/cpu"


class Clocks:
    """Frequency, temperature and thermal throttling of the processors that the run may use."""

    def __init__(self, cores: Collection[int], root: Path) -> None:
        folders = [root / _SYSTEM_CPU / f"cpu{core}" for core in _spread(sorted(cores))]
        self._frequencies = [folder / "cpufreq/scaling_cur_freq" for folder in folders]
        self._counters = [*_per_core(folders), *_per_package(folders)]
        self._thermometers = [*_chips(root)] or [*_zones(root)]
        self._before: int | None = None

    def read(self) -> Reading:
        levels = {}
        frequencies = list(_numbers(self._frequencies))
        if frequencies:
            levels["frequency_mhz"] = sum(frequencies) / len(frequencies) / 1000
        temperatures = list(_numbers(self._thermometers))
        if temperatures:
            levels["temperature_c"] = max(temperatures) / 1000
        return Reading(levels, self._throttles())

    def _throttles(self) -> dict[str, int]:
        before, counted = self._before, list(_numbers(self._counters))
        self._before = sum(counted) if counted else None
        if before is None or self._before is None:
            return {}
        return {"thermal_throttles": max(0, self._before - before)}


def _spread(cores: list[int]) -> list[int]:
    step = max(1, -(-len(cores) // MOST_CORES))
    return cores[::step]


def _per_core(folders: list[Path]) -> list[Path]:
    return [folder / "thermal_throttle/core_throttle_count" for folder in folders]


def _per_package(folders: list[Path]) -> Iterator[Path]:
    """One for each processor: all of its cores have the same counter."""
    seen: dict[str, Path] = {}
    for folder in folders:
        seen.setdefault(content(folder / "topology/physical_package_id"), folder)
    for folder in seen.values():
        yield folder / "thermal_throttle/package_throttle_count"


def _chips(root: Path) -> Iterator[Path]:
    for label in (root / "sys/class/hwmon").glob("hwmon*/temp*_label"):
        of_cpu = content(label.parent / "name") in _CHIPS
        if of_cpu and content(label).startswith(_WHOLE):
            yield label.with_name(label.name.replace("_label", "_input"))


def _zones(root: Path) -> Iterator[Path]:
    for zone in (root / "sys/class/thermal").glob("thermal_zone*"):
        if content(zone / "type") in _ZONES:
            yield zone / "temp"


def _numbers(files: list[Path]) -> Iterator[int]:
    """What stands in those that can be read."""
    for file in files:
        text = content(file)
        if text.removeprefix("-").isdigit():
            yield int(text)
