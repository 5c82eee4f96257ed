"""What the doctor finds on machines with something wrong, and what it says to do."""

from __future__ import annotations

import importlib.util
import shutil
from collections import namedtuple
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from harness.host import doctor
from harness.host.description import Gpu, Host
from harness.host.doctor import Check, examine
from sut.backend import Availability
from tests.sut.plugged import install

Usage = namedtuple("Usage", "total used free")
GIB = 1 << 30

HOST = Host("name", "Xeon 9000", "", 8, 8, 64 * GIB, "6.1", "Debian 12", "performance", "", ())


@pytest.fixture(autouse=True)
def _healthy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "describe_host", lambda: HOST)
    monkeypatch.setattr(doctor, "foreign_datasets", lambda: "")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(99 * GIB, 0, 99 * GIB))
    monkeypatch.setattr("psutil.cpu_percent", lambda interval: 3.0)


def _versions(**known: str) -> Callable[[str], str | None]:
    return lambda distribution: known.get(distribution.replace("-", "_"))


def _found(name: str) -> Check:
    (check,) = [check for check in examine() if check.name == name]
    return check


def test_a_healthy_machine_has_no_problem() -> None:
    problems = [
        check for check in examine() if check.status != "ok" and "backend" not in check.name
    ]
    assert problems == []


def test_both_onnxruntimes_are_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    both = _versions(onnxruntime="1.32.0", onnxruntime_gpu="1.31.0")
    monkeypatch.setattr(doctor, "version_of", both)
    check = _found("onnxruntime packages")
    assert check.status == "problem"
    assert "onnxruntime 1.32.0 and onnxruntime-gpu 1.31.0" in check.found
    assert "pip uninstall onnxruntime onnxruntime-gpu" in check.advice


@pytest.mark.parametrize(
    ("installed", "found"),
    [({"onnxruntime": "1.32.0"}, "not both"), ({"onnxruntime_gpu": "1"}, "not both"), ({}, "none")],
)
def test_one_onnxruntime_or_none_is_fine(
    monkeypatch: pytest.MonkeyPatch, installed: dict[str, str], found: str
) -> None:
    monkeypatch.setattr(doctor, "version_of", _versions(**installed))
    check = _found("onnxruntime packages")
    assert (check.status, check.found) == ("ok", found)


def test_a_missing_module_is_a_problem_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "cv2" else real(name)
    )
    check = _found("opencv-python-headless")
    assert (check.status, check.found) == ("problem", "not installed")
    assert check.advice == "pip install opencv-python-headless"


@pytest.mark.parametrize(
    ("available", "status"), [({"simulated"}, "problem"), ({"simulated", "tensorflow"}, "warning")]
)
def test_a_missing_runtime_is_a_problem_only_where_there_is_no_other(
    monkeypatch: pytest.MonkeyPatch, available: set[str], status: str
) -> None:
    def availability_of(name: str) -> Availability:
        return Availability("1.0") if name in available else Availability(None, "pip install it")

    monkeypatch.setattr(doctor, "availability_of", availability_of)
    check = _found("backend onnxruntime")
    assert (check.status, check.found, check.advice) == (status, "not available", "pip install it")
    assert _found("backend simulated").status == "ok"


def test_little_memory_few_cores_and_a_slow_governor_are_warnings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    small = Host("name", "", "", 8, 2, 2 * GIB, "6.1", "", "powersave", "", ())
    monkeypatch.setattr(doctor, "describe_host", lambda: small)
    found = {check.name: check for check in examine()}
    assert found["processor"].found == "unknown"
    for name, seen in (
        ("memory", "2.0 GiB"),
        ("usable cores", "2 of 8"),
        ("frequency governor", "powersave"),
    ):
        assert (found[name].status, found[name].found) == ("warning", seen)
        assert found[name].advice


def test_little_disk_names_the_place_that_exists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOADPROOF_CACHE", str(tmp_path / "not/yet/made"))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(9 * GIB, 8 * GIB, GIB))
    check = _found("disk for the cache")
    assert (check.status, check.found) == ("warning", f"1.0 GiB free at {tmp_path}")
    assert "LOADPROOF_CACHE" in check.advice


def test_a_foreign_datasets_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "foreign_datasets", lambda: "another library hides it")
    check = _found("package datasets")
    assert (check.status, check.found) == ("problem", "another library hides it")


@pytest.mark.parametrize(
    ("installed", "status"),
    [
        ({}, "warning"),
        ({"onnxruntime_gpu": "1.31.0"}, "warning"),
        ({"onnxruntime_gpu": "1.31.0", "nvidia_ml_py": "13"}, "ok"),
    ],
)
def test_a_gpu_wants_the_gpu_build_and_its_sensors(
    monkeypatch: pytest.MonkeyPatch, installed: dict[str, str], status: str
) -> None:
    host = replace(HOST, gpus=(Gpu("H200", "143771 MiB", "570.1"),))
    monkeypatch.setattr(doctor, "describe_host", lambda: host)
    monkeypatch.setattr(doctor, "version_of", _versions(**installed))
    check = _found("GPU")
    assert check.status == status
    assert "H200 (143771 MiB, driver 570.1)" in check.found
    assert bool(check.advice) == (status == "warning")


def test_a_broken_backend_is_shown_with_its_package_and_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(install(tmp_path, "boom_maker", {"boom": "P"}, "1 / 0")))
    check = _found("backend boom")
    assert (check.status, check.found) == ("warning", "not available")
    assert "package boom_maker 1.0 can't be used" in check.advice
    assert "ZeroDivisionError" in check.advice
    assert _found("backend simulated").status == "ok"


def test_a_package_that_takes_the_name_of_one_of_our_backends_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = install(tmp_path, "name_taker", {"simulated": "P"}, "P = 1")
    monkeypatch.syspath_prepend(str(taken))
    own, other = [check for check in examine() if check.name == "backend simulated"]
    assert own.status == "ok"
    assert (other.status, "name_taker 1.0" in other.found) == ("warning", True)


@pytest.mark.parametrize(("busy_percent", "status"), [(3.0, "ok"), (55.0, "warning")])
def test_what_other_processes_take_is_said(
    monkeypatch: pytest.MonkeyPatch, busy_percent: float, status: str
) -> None:
    monkeypatch.setattr("psutil.cpu_percent", lambda interval: busy_percent)
    check = _found("other processes")
    assert (check.status, check.found) == (status, f"use {busy_percent:.0f} % of all processors")
    assert bool(check.advice) == (status == "warning")
