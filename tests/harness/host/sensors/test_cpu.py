"""The processors and the memory, as trees of files tell of them; what is absent stays absent."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.host.sensors.clocks import MOST_CORES, Clocks
from harness.host.sensors.cpu import Cpu
from harness.host.sensors.memory import Memory
from harness.host.sensors.processes import descendants
from harness.host.sensors.processors import Processors
from harness.host.sensors.reading import Reading
from tests.harness.host.sensors.machines import WORKER, process, processors, supervisor, write

LIMIT_S = 60.0
QUOTA = {"proc/self/cgroup": "0::/", "sys/fs/cgroup/cpu.max": "100000 100000"}


def _second(root: Path, sensor: Processors) -> Reading:
    """Two cores for 100 ticks: 150 busy, of which 90 are the run's; 10 were stolen."""
    write(root, processors((0, 0, 0), (0, 0, 0)))
    write(root, {**process(WORKER, 0), **supervisor(0)})
    assert sensor.read() == Reading()
    write(root, processors((100, 0, 0), (50, 40, 10)))
    write(root, {**process(WORKER, 60, 15, reaped=10), **supervisor(5)})
    return sensor.read()


def test_others_are_what_the_run_and_its_supervisor_did_not_use(tmp_path: Path) -> None:
    found = _second(tmp_path, Processors(WORKER, {0, 1}, tmp_path))
    assert found.levels == {"others_percent": pytest.approx(30), "steal_percent": pytest.approx(5)}


def test_processes_that_the_worker_started_are_its_own(tmp_path: Path) -> None:
    write(tmp_path, process(99, 0) | {f"proc/{WORKER}/task/5/children": "99"})
    sensor = Processors(WORKER, {0, 1}, tmp_path)
    write(tmp_path, processors((0, 0, 0), (0, 0, 0)) | process(WORKER, 0) | supervisor(0))
    sensor.read()
    write(tmp_path, processors((100, 0, 0), (0, 100, 0)) | process(99, 100))
    assert sensor.read().levels["others_percent"] == 0


def test_only_processors_that_the_run_may_use_count(tmp_path: Path) -> None:
    found = _second(tmp_path, Processors(WORKER, {0}, tmp_path))
    assert found.levels == {"others_percent": pytest.approx(10), "steal_percent": 0}


def test_under_a_quota_others_take_the_spare_cores_first(tmp_path: Path) -> None:
    write(tmp_path, QUOTA)
    found = _second(tmp_path, Processors(WORKER, {0, 1}, tmp_path))
    assert found.levels["others_percent"] == 0
    write(tmp_path, processors((300, 0, 0), (250, 40, 10)))
    sensor = Processors(WORKER, {0, 1}, tmp_path)
    sensor.read()
    write(tmp_path, processors((400, 0, 0), (290, 100, 10)))
    assert sensor.read().levels["others_percent"] == pytest.approx(40)


def test_after_the_worker_has_ended_its_time_is_not_taken_for_that_of_others(
    tmp_path: Path,
) -> None:
    sensor = Processors(WORKER, {0, 1}, tmp_path)
    _second(tmp_path, sensor)
    (tmp_path / f"proc/{WORKER}/stat").unlink()
    write(tmp_path, processors((200, 0, 0), (150, 40, 10)))
    assert sensor.read() == Reading()


def test_a_machine_that_tells_nothing_gives_nothing(tmp_path: Path) -> None:
    sensor = Cpu(WORKER, tmp_path)
    assert sensor.read() == sensor.read() == Reading()


def test_processors_without_times_give_nothing(tmp_path: Path) -> None:
    write(tmp_path, processors((0, 0, 0)) | process(WORKER, 0) | supervisor(0))
    sensor = Processors(WORKER, {0}, tmp_path)
    assert sensor.read() == sensor.read() == Reading()


@pytest.mark.skipif(
    not Path(f"/proc/self/task/{os.getpid()}/children").exists(),
    reason="this kernel does not list children",
)
def test_descendants_of_this_machine_are_found() -> None:
    waiting = "import sys; sys.stdin.read()"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {waiting!r}])"
    command = [sys.executable, "-c", parent]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as child:
        deadline = time.monotonic() + LIMIT_S
        while not any(descendants(child.pid, Path("/"))):
            assert time.monotonic() < deadline, "the child's own child was never found"
            time.sleep(0.01)
        assert list(descendants(os.getpid(), Path("/"))).count(child.pid) == 1


def _core(number: int, mhz: int = 2000, throttles: int = 0, package: int = 0) -> dict[str, object]:
    folder = f"sys/devices/system/cpu/cpu{number}"
    return {
        f"{folder}/cpufreq/scaling_cur_freq": mhz * 1000,
        f"{folder}/thermal_throttle/core_throttle_count": throttles,
        f"{folder}/thermal_throttle/package_throttle_count": package,
        f"{folder}/topology/physical_package_id": number // 2,
    }


def test_frequency_and_throttles_are_those_of_the_cores_and_each_package_counts_once(
    tmp_path: Path,
) -> None:
    for number in range(4):
        write(tmp_path, _core(number, 2000 + 100 * number, 7, 3))
    sensor = Clocks(range(4), tmp_path)
    assert sensor.read() == Reading({"frequency_mhz": 2150.0})
    write(tmp_path, _core(1, 2100, 9, 4) | _core(0, 2000, 7, 4))
    assert sensor.read().counts == {"thermal_throttles": 3}


def test_only_some_cores_of_a_large_machine_are_looked_at(tmp_path: Path) -> None:
    for number in range(50):
        write(tmp_path, _core(number))
    sensor = Clocks(range(50), tmp_path)
    assert 8 < len(sensor._frequencies) <= MOST_CORES


def test_the_warmest_processor_counts_and_neither_cores_nor_the_board(tmp_path: Path) -> None:
    for chip, label, millidegrees in (
        ("coretemp", "Package id 0", 61_000),
        ("coretemp", "Package id 1", 64_500),
        ("coretemp", "Core 0", 90_000),
        ("nvme", "Composite", 95_000),
    ):
        folder = f"sys/class/hwmon/hwmon{millidegrees}"
        write(
            tmp_path,
            {
                f"{folder}/name": chip,
                f"{folder}/temp1_label": label,
                f"{folder}/temp1_input": millidegrees,
            },
        )
    assert Clocks({0}, tmp_path).read() == Reading({"temperature_c": 64.5})


def test_a_thermal_zone_of_the_processor_serves_where_there_is_no_chip(tmp_path: Path) -> None:
    zone = "sys/class/thermal/thermal_zone"
    write(tmp_path, {f"{zone}0/type": "acpitz", f"{zone}0/temp": 99_000})
    write(tmp_path, {f"{zone}1/type": "x86_pkg_temp", f"{zone}1/temp": 55_000})
    assert Clocks({0}, tmp_path).read() == Reading({"temperature_c": 55.0})


def test_memory_tells_what_was_swapped_in_and_how_long_tasks_waited(tmp_path: Path) -> None:
    times = iter((10.0, 12.0))
    sensor = Memory(tmp_path, lambda: next(times))
    waits = "some avg10=0.00 avg60=0.00 avg300=0.00 total={}\nfull avg10=0.00 total=7"
    vmstat, pressure = "proc/vmstat", "proc/pressure/memory"
    write(tmp_path, {vmstat: "nr_free 5\npswpin 10\npswpout 9", pressure: waits.format(1_000)})
    assert sensor.read() == Reading()
    write(tmp_path, {vmstat: "nr_free 5\npswpin 13\npswpout 9", pressure: waits.format(101_000)})
    found = sensor.read()
    assert found.counts == {"swapped_in_bytes": 3 * resource.getpagesize()}
    assert found.levels == {"memory_pressure_percent": pytest.approx(5)}
