"""What machine this is: the facts that system.json keeps and that decide whether runs compare."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from audit import schema
from datasets.cores import usable_cores
from datasets.sysfs import content
from harness.host.software import packages, versions_installed

_GPU_QUERY = ("nvidia-smi", "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader")
_GPU_LIMIT_S = 10.0
_USER = re.compile(r"(?<=:)//[^/@\s]+@")


@dataclass(frozen=True)
class Gpu:
    """One GPU, in the driver's words."""

    name: str
    memory: str
    driver: str


@dataclass(frozen=True)
class Host:
    """The machine and the system on it. Unknown text is empty."""

    hostname: str
    cpu_model: str
    microcode: str
    logical_cores: int
    usable_cores: int
    memory_bytes: int
    kernel: str
    distribution: str
    governor: str
    virtualization: str
    gpus: tuple[Gpu, ...]

    @property
    def fingerprint(self) -> str:
        """SHA-256 over what makes two runs runs on the same machine; the name is no part of it."""
        parts = {key: value for key, value in asdict(self).items() if key != "hostname"}
        return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def describe_host(root: Path = Path("/")) -> Host:
    """This machine, as /proc, /sys and the GPU's own tool tell; never raises for what is absent."""
    cpuinfo = content(root / "proc/cpuinfo")
    return Host(
        hostname=platform.node(),
        cpu_model=cpu_model(cpuinfo),
        microcode=microcode(cpuinfo),
        logical_cores=os.cpu_count() or 1,
        usable_cores=usable_cores(root),
        memory_bytes=memory_bytes(content(root / "proc/meminfo")),
        kernel=platform.release(),
        distribution=distribution(content(root / "etc/os-release")),
        governor=content(root / "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        virtualization=content(root / "sys/class/dmi/id/sys_vendor"),
        gpus=gpus(),
    )


def cpu_model(cpuinfo: str) -> str:
    """The first model name in the text of /proc/cpuinfo."""
    return _value(cpuinfo, "model name", ":")


def microcode(cpuinfo: str) -> str:
    """The first microcode revision in the text of /proc/cpuinfo."""
    return _value(cpuinfo, "microcode", ":")


def memory_bytes(meminfo: str) -> int:
    """MemTotal in the text of /proc/meminfo, in bytes; 0 where it is absent."""
    words = _value(meminfo, "MemTotal", ":").split()
    return int(words[0]) * 1024 if words else 0


def distribution(os_release: str) -> str:
    """The name of the distribution in the text of /etc/os-release."""
    return _value(os_release, "PRETTY_NAME", "=").strip('"')


def _value(text: str, key: str, separator: str) -> str:
    for line in text.splitlines():
        name, found, value = line.partition(separator)
        if found and name.strip() == key:
            return value.strip()
    return ""


def gpus() -> tuple[Gpu, ...]:
    """NVIDIA's GPUs, as nvidia-smi lists them; none where there is no such tool."""
    if shutil.which(_GPU_QUERY[0]) is None:
        return ()
    try:
        answer = subprocess.run(
            _GPU_QUERY, capture_output=True, text=True, timeout=_GPU_LIMIT_S, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return ()
    rows = [line.split(", ") for line in answer.stdout.splitlines()]
    return tuple(Gpu(*row) for row in rows if len(row) == 3)


def system_document(host: Host) -> dict[str, Any]:
    """The JSON form, schema ``system``: the machine, all software of this environment, and the
    command that is running."""
    document = {
        "schema": "loadproof/system",
        "version": 1,
        "host": {**asdict(host), "gpus": [asdict(gpu) for gpu in host.gpus]},
        "fingerprint": host.fingerprint,
        "software": versions_installed(),
        "packages": packages(),
        "command": command_line(sys.argv),
    }
    schema.require(document, "system", "the description of this machine")
    return document


def command_line(arguments: Sequence[str]) -> list[str]:
    """The command that a process with these ``arguments`` is, without a password of an address."""
    return ["loadproof", *(_USER.sub("//", word) for word in arguments[1:])]
