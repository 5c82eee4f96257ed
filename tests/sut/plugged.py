"""Packages that offer backends, as they lie on a path once installed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

VENDOR = """
from sut.backend import Availability


class Provider:
    name, devices, precisions = "vendor", ("cpu",), ("fp32",)
    options, model_suffixes = {}, (".engine",)

    def availability(self):
        return Availability("7.0")

    def open(self, request):
        raise NotImplementedError


PROVIDER = Provider()
"""


def install(folder: Path, package: str, backends: Mapping[str, str], module: str) -> Path:
    """Install ``package`` 1.0 into ``folder``: a module of the same name with the text ``module``,
    and its objects as backends (name → object). Returns ``folder``, to be put on the path."""
    information = folder / f"{package}-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    entries = "".join(f"{name} = {package}:{found}\n" for name, found in backends.items())
    (information / "entry_points.txt").write_text(f"[loadproof.backends]\n{entries}")
    (folder / f"{package}.py").write_text(module)
    return folder
