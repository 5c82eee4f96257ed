"""What this machine has for a qualification, what stands in its way, and what to do about it."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import psutil

from audit.evidence.conditions import most
from datasets.disk.cache import default_cache
from harness.host.description import Host, describe_host
from harness.host.shadow import foreign_datasets
from harness.host.software import version_of
from sut.backend import availability_of, provider_names
from sut.plugins import package_of, plugins

Status = Literal["ok", "warning", "problem"]

LEAST_MEMORY_BYTES = 4 << 30
LEAST_DISK_BYTES = 4 << 30
_WATCHED_S = 0.3
_NEEDED = {
    "mlperf_loadgen": "mlcommons-loadgen",
    "numpy": "numpy",
    "cv2": "opencv-python-headless",
    "tokenizers": "tokenizers",
    "jsonschema": "jsonschema",
    "scipy": "scipy",
}


@dataclass(frozen=True)
class Check:
    """One thing that was looked at."""

    name: str
    status: Status
    found: str
    advice: str = ""


def examine() -> list[Check]:
    """Everything, worst and best; never raises."""
    host = describe_host()
    return [
        *_imports(),
        *_runtimes(),
        *_hidden_backends(),
        _both_onnxruntimes(),
        _datasets(),
        *_machine(host),
        _others(psutil.cpu_percent(interval=_WATCHED_S)),
        _disk(default_cache()),
        _gpu(host),
    ]


def _imports() -> Iterator[Check]:
    for module, distribution in _NEEDED.items():
        version = version_of(distribution)
        if importlib.util.find_spec(module) is None:
            yield Check(distribution, "problem", "not installed", f"pip install {distribution}")
        else:
            yield Check(distribution, "ok", version or "installed under another name")


def _runtimes() -> Iterator[Check]:
    found = {name: availability_of(name) for name in provider_names()}
    real = [name for name, seen in found.items() if seen.version and name != "simulated"]
    for name, seen in found.items():
        if seen.version:
            yield Check(f"backend {name}", "ok", seen.version)
        else:
            status: Status = "warning" if real else "problem"
            yield Check(f"backend {name}", status, "not available", seen.reason)


def _hidden_backends() -> Iterator[Check]:
    for plugin in plugins().values():
        for point in plugin.hidden:
            yield Check(
                f"backend {plugin.name}",
                "warning",
                f"{package_of(point)} offers another one of this name, which is never used",
                "uninstall that package, or have it choose another name",
            )


def _both_onnxruntimes() -> Check:
    cpu, gpu = version_of("onnxruntime"), version_of("onnxruntime-gpu")
    if cpu and gpu:
        return Check(
            "onnxruntime packages",
            "problem",
            f"onnxruntime {cpu} and onnxruntime-gpu {gpu} overwrite each other's files",
            "pip uninstall onnxruntime onnxruntime-gpu, then install one of them again",
        )
    return Check("onnxruntime packages", "ok", "not both" if cpu or gpu else "none")


def _datasets() -> Check:
    trouble = foreign_datasets()
    if trouble:
        return Check("package datasets", "problem", trouble, "use an environment of its own")
    return Check("package datasets", "ok", "loadproof's own")


def _machine(host: Host) -> Iterator[Check]:
    yield Check("processor", "ok", host.cpu_model or "unknown")
    yield _warned(
        host.usable_cores < host.logical_cores,
        "usable cores",
        f"{host.usable_cores} of {host.logical_cores}",
        "affinity or a quota keeps the others away; fine if it is meant",
    )
    if host.governor not in {"", "performance"}:
        yield Check(
            "frequency governor",
            "warning",
            host.governor,
            "cpupower frequency-set -g performance gives steadier numbers",
        )
    yield _warned(
        host.memory_bytes < LEAST_MEMORY_BYTES,
        "memory",
        f"{host.memory_bytes / 2**30:.1f} GiB",
        "the embedded models need about 2 GiB free",
    )


def _others(busy_percent: float) -> Check:
    return _warned(
        busy_percent > most("machine.others"),
        "other processes",
        f"use {busy_percent:.0f} % of all processors",
        "stop them while measuring: numbers shrink and vary, Server is the first to be INVALID",
    )


def _disk(cache: Path) -> Check:
    place = next(parent for parent in (cache, *cache.parents) if parent.exists())
    free = shutil.disk_usage(place).free
    return _warned(
        free < LEAST_DISK_BYTES,
        "disk for the cache",
        f"{free / 2**30:.1f} GiB free at {place}",
        "make room, or set LOADPROOF_CACHE to another disk",
    )


def _warned(wrong: bool, name: str, found: str, advice: str) -> Check:
    """A check that is a warning with advice where something is ``wrong``, else fine."""
    return Check(name, "warning", found, advice) if wrong else Check(name, "ok", found)


def _gpu(host: Host) -> Check:
    if not host.gpus:
        return Check("GPU", "ok", "none that nvidia-smi lists")
    names = ", ".join(f"{gpu.name} ({gpu.memory}, driver {gpu.driver})" for gpu in host.gpus)
    if version_of("onnxruntime-gpu") is None:
        advice = "install loadproof's extra gpu, in an environment without onnxruntime"
        return Check("GPU", "warning", f"{names}; onnxruntime-gpu is not installed", advice)
    if version_of("nvidia-ml-py") is None:
        advice = "pip install nvidia-ml-py, so that runs tell what the GPU did"
        return Check("GPU", "warning", f"{names}; nvidia-ml-py is not installed", advice)
    return Check("GPU", "ok", names)
