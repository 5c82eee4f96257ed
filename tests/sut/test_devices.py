"""Lists of devices and the cores near a GPU."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from datasets.errors import UsageError
from sut.devices import gpu_cores, near, parse_devices, pin


@pytest.mark.parametrize(
    ("text", "devices"),
    [
        ("0", (0,)),
        ("0-7,9", (0, 1, 2, 3, 4, 5, 6, 7, 9)),
        ("3, 1", (3, 1)),
        ("2-2", (2,)),
    ],
)
def test_a_list_of_devices(text: str, devices: tuple[int, ...]) -> None:
    assert parse_devices(text) == devices


@pytest.mark.parametrize("text", ["", "a", "1,", "-1", "3-1", "0-", "1.5", "0-99999999999", "٣"])
def test_what_is_no_list_of_devices_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="write them like 0-3,8"):
        parse_devices(text)


def test_a_device_named_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="device 2 twice"):
        parse_devices("0-3,2")


def pci(root: Path, address: str, vendor: str, kind: str, node: str) -> None:
    folder = root / "sys/bus/pci/devices" / address
    folder.mkdir(parents=True)
    for name, text in (("vendor", vendor), ("class", kind), ("numa_node", node)):
        (folder / name).write_text(f"{text}\n")


@pytest.fixture
def two_nodes(tmp_path: Path) -> Path:
    """Onboard graphics, a NIC, an audio function of a GPU, and three GPUs, one of no node."""
    pci(tmp_path, "0000:03:00.0", "0x1a03", "0x030000", "0")
    pci(tmp_path, "0000:07:00.0", "0x15b3", "0x020000", "0")
    pci(tmp_path, "0000:c1:00.0", "0x10de", "0x030200", "-1")
    pci(tmp_path, "0000:41:00.0", "0x10de", "0x030200", "1")
    pci(tmp_path, "0000:11:00.1", "0x10de", "0x040300", "0")
    pci(tmp_path, "0000:11:00.0", "0x10de", "0x030000", "0")
    for node, cores in enumerate(("0-3,8-11", "4-7,12-15")):
        folder = tmp_path / f"sys/devices/system/node/node{node}"
        folder.mkdir(parents=True)
        (folder / "cpulist").write_text(f"{cores}\n")
    return tmp_path


def test_a_gpus_cores_are_those_of_its_node_by_pci_order(two_nodes: Path) -> None:
    assert gpu_cores(0, two_nodes) == {0, 1, 2, 3, 8, 9, 10, 11}
    assert gpu_cores(1, two_nodes) == {4, 5, 6, 7, 12, 13, 14, 15}


@pytest.mark.parametrize("index", [2, 3])
def test_no_cores_where_the_system_does_not_tell(two_nodes: Path, index: int) -> None:
    assert gpu_cores(index, two_nodes) == frozenset()


def test_near_pins_the_calling_thread_and_gives_its_cores_back() -> None:
    before = os.sched_getaffinity(0)
    core = max(before)
    with near(frozenset({core, 9999})) as cores:
        assert cores == {core}
        assert os.sched_getaffinity(0) == {core}
    assert os.sched_getaffinity(0) == before


def test_cores_that_may_not_be_used_pin_nothing() -> None:
    before = os.sched_getaffinity(0)
    assert pin(frozenset({9999})) == frozenset()
    assert pin(frozenset()) == frozenset()
    assert os.sched_getaffinity(0) == before
