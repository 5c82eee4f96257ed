"""What a container leaves of a machine."""

from __future__ import annotations

import math
import os
from pathlib import Path

import pytest

from datasets.cores import quota_cores, usable_cores


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def version_2(root: Path, group: str, *limits: tuple[str, str]) -> Path:
    write(root / "proc/self/cgroup", f"0::{group}\n")
    for folder, limit in limits:
        write(root / "sys/fs/cgroup" / folder / "cpu.max", limit)
    return root


@pytest.mark.parametrize(
    ("limits", "cores"),
    [
        ((("a/b", "max 100000\n"),), math.inf),
        ((("a/b", "250000 100000\n"),), 2.5),
        ((("a/b", "max 100000"), ("a", "150000 50000")), 3),
        ((("a/b", "100000 100000"), ("a", "400000 100000")), 1),
        ((("", "200000 100000"),), 2),
        ((), math.inf),
    ],
)
def test_version_2_takes_the_tightest_group_above(
    tmp_path: Path, limits: tuple[tuple[str, str], ...], cores: float
) -> None:
    assert quota_cores(version_2(tmp_path, "/a/b", *limits)) == cores


@pytest.mark.parametrize("mount", ["cpu,cpuacct", "cpu"])
@pytest.mark.parametrize("folder", ["docker/x", ""])
def test_version_1_is_read_from_the_group_or_what_a_container_sees_of_it(
    tmp_path: Path, mount: str, folder: str
) -> None:
    write(tmp_path / "proc/self/cgroup", "5:memory:/docker/x\n4:cpu,cpuacct:/docker/x\n0::/\n")
    write(tmp_path / "sys/fs/cgroup" / mount / folder / "cpu.cfs_quota_us", "350000\n")
    write(tmp_path / "sys/fs/cgroup" / mount / folder / "cpu.cfs_period_us", "100000\n")
    assert quota_cores(tmp_path) == 3.5


def test_version_1_without_a_quota(tmp_path: Path) -> None:
    write(tmp_path / "proc/self/cgroup", "4:cpu:/\n")
    write(tmp_path / "sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n")
    write(tmp_path / "sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n")
    assert quota_cores(tmp_path) == math.inf


def test_the_quota_of_another_controller_is_not_the_cpus(tmp_path: Path) -> None:
    write(tmp_path / "proc/self/cgroup", "4:cpuset:/\n")
    write(tmp_path / "sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000\n")
    write(tmp_path / "sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n")
    assert quota_cores(tmp_path) == math.inf


def test_a_group_name_with_a_colon(tmp_path: Path) -> None:
    assert quota_cores(version_2(tmp_path, "/a:b", ("a:b", "300000 100000"))) == 3


def test_usable_cores_are_the_affinity_where_no_quota_is_tighter(tmp_path: Path) -> None:
    assert usable_cores(tmp_path) == len(os.sched_getaffinity(0))
    assert usable_cores(version_2(tmp_path, "/", ("", "9900000 100000"))) == len(
        os.sched_getaffinity(0)
    )


@pytest.mark.parametrize("quota", ["190000 100000", "50000 100000"])
def test_usable_cores_round_a_quota_down_to_at_least_one(tmp_path: Path, quota: str) -> None:
    assert usable_cores(version_2(tmp_path, "/", ("", quota))) == 1
