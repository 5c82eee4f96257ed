"""Versions of the software that decides a run."""

from __future__ import annotations

import platform
import re
import sys
from importlib import metadata

_COMMON = {
    "mlperf_loadgen": ("mlcommons-loadgen",),
    "numpy": ("numpy",),
    "cv2": ("opencv-python-headless", "opencv-python"),
    "tokenizers": ("tokenizers",),
    "sut": ("loadproof",),
}
"""Top-level module → distributions that may provide it."""
_RUNTIMES = {
    "onnxruntime": ("onnxruntime", "onnxruntime-gpu", "onnxruntime-openvino"),
    "tensorflow": ("tensorflow-cpu", "tensorflow"),
}
_TOP_LEVEL = {**_COMMON, **_RUNTIMES}


def packages() -> dict[str, str]:
    """Every distribution installed in this environment with its version, by name."""
    found = {
        _normal(distribution.metadata["Name"]): distribution.version
        for distribution in metadata.distributions()
        if distribution.metadata["Name"]
    }
    return dict(sorted(found.items()))


def _normal(name: str) -> str:
    """The one spelling of a distribution's name, of PyPA's specification of names."""
    return re.sub(r"[-_.]+", "-", name).lower()


def version_of(distribution: str) -> str | None:
    """The installed version of a distribution, or None."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def _installed(modules: list[str]) -> dict[str, str]:
    found = {"python": platform.python_version()}
    for module in modules:
        for distribution in _TOP_LEVEL[module]:
            version = version_of(distribution)
            if version is not None:
                found[distribution] = version
    return found


def versions_in_use() -> dict[str, str]:
    """Of this process: what has been imported of the packages that decide a run."""
    return _installed([module for module in _TOP_LEVEL if module in sys.modules])


def versions_common() -> dict[str, str]:
    """Of this environment: what decides a run whatever its runtime is."""
    return _installed(list(_COMMON))


def versions_installed() -> dict[str, str]:
    """Of this environment: everything that may decide a run."""
    return _installed(list(_TOP_LEVEL))
