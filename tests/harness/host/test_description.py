"""What is told of a machine, from the files in which a system describes itself."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from audit import schema
from harness.host.description import (
    Gpu,
    Host,
    command_line,
    describe_host,
    gpus,
    system_document,
)
from harness.host.software import version_of, versions_in_use, versions_installed

FILES = {
    "proc/cpuinfo": "processor\t: 0\nmodel name\t: Xeon 9000 @ 2.00GHz\nmicrocode\t: 0x2b\n"
    "flags\t: avx amx_bf16\n"
    "processor\t: 1\nmodel name\t: another\n",
    "proc/meminfo": "MemTotal:       16384000 kB\nMemFree:         1000 kB\n",
    "proc/self/cgroup": "0::/\n",
    "sys/fs/cgroup/cpu.max": "100000 100000\n",
    "etc/os-release": 'NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n',
    "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "powersave\n",
    "sys/class/dmi/id/sys_vendor": "QEMU\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "root" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "root"


def _install_nvidia_smi(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = folder / "bin/nvidia-smi"
    tool.parent.mkdir()
    tool.write_text(f"#!/bin/sh\n{script}\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}:/usr/bin:/bin")


def test_a_machine_is_described_by_its_own_files(root: Path) -> None:
    host = describe_host(root)
    assert host.cpu_model == "Xeon 9000 @ 2.00GHz"
    assert host.microcode == "0x2b"
    assert host.memory_bytes == 16_384_000 * 1024
    assert host.distribution == "Debian GNU/Linux 12 (bookworm)"
    assert (host.governor, host.virtualization) == ("powersave", "QEMU")
    assert host.usable_cores == 1
    assert host.logical_cores >= 1


def test_what_is_absent_is_empty_and_no_error(tmp_path: Path) -> None:
    host = describe_host(tmp_path)
    assert (host.cpu_model, host.memory_bytes, host.distribution) == ("", 0, "")
    assert host.microcode == ""
    assert (host.governor, host.virtualization) == ("", "")


def test_the_fingerprint_tells_machines_apart_but_not_their_names(root: Path) -> None:
    host = describe_host(root)
    assert replace(host, hostname="renamed").fingerprint == host.fingerprint
    for other in (
        replace(host, cpu_model="another"),
        replace(host, usable_cores=2),
        replace(host, microcode="0x2c"),
        replace(host, kernel="99"),
        replace(host, gpus=(Gpu("H200", "143771 MiB", "570.1"),)),
    ):
        assert other.fingerprint != host.fingerprint


def test_gpus_are_those_that_nvidia_smi_lists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "echo 'NVIDIA H200, 143771 MiB, 570.1'; echo 'NVIDIA H200, 143771 MiB, 570.1'"
    _install_nvidia_smi(tmp_path, f"{lines}; echo 'no device'", monkeypatch)
    assert gpus() == (Gpu("NVIDIA H200", "143771 MiB", "570.1"),) * 2


def test_a_driver_that_does_not_answer_is_no_gpu(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _install_nvidia_smi(tmp_path, "echo 'NVIDIA-SMI has failed'; exit 9", monkeypatch)
    assert gpus() == ()


def test_no_tool_is_no_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert gpus() == ()


def test_the_document_is_json_with_the_software_beside_the_machine(root: Path) -> None:
    host: Host = replace(describe_host(root), gpus=(Gpu("H200", "143771 MiB", "570.1"),))
    document = json.loads(json.dumps(system_document(host)))
    assert (document["schema"], document["version"]) == ("loadproof/system", 1)
    assert document["host"]["gpus"] == [{"name": "H200", "memory": "143771 MiB", "driver": "570.1"}]
    assert document["fingerprint"] == host.fingerprint
    assert document["software"]["mlcommons-loadgen"] == version_of("mlcommons-loadgen")
    assert document["packages"].items() >= {"pytest": pytest.__version__}.items()
    assert document["packages"]["mlcommons-loadgen"] == version_of("mlcommons-loadgen")
    assert schema.problems(document, "system") == []


def test_the_command_is_kept_without_the_password_of_an_address() -> None:
    words = ["/usr/bin/loadproof", "qualify", "--mirror", "https://me:secret@host/a@b", "-b", "x"]
    assert command_line(words) == [
        *("loadproof", "qualify", "--mirror"),
        *("https://host/a@b", "-b", "x"),
    ]
    assert command_line(["loadproof", "--mirror=http://u:p@host", "//share/a@b"])[1:] == [
        "--mirror=http://host",
        "//share/a@b",
    ]


def test_software_in_use_is_part_of_what_is_installed() -> None:
    used, installed = versions_in_use(), versions_installed()
    assert used.items() <= installed.items()
    assert "numpy" in used
    assert version_of("no-such-distribution") is None
