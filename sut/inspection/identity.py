"""Which model a file is: its size, its checksums, and the entry of the zoo that has them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from datasets.disk.files import digest_of, sha256_of, tree_sha256
from sut import zoo
from sut.zoo import ZooModel


@dataclass(frozen=True)
class Identity:
    """The bytes of a model."""

    size_bytes: int
    """Of all files, where the model is a folder."""
    sha256: str
    """Of the file; of a folder, over the names and checksums of its files."""
    md5: str | None
    """None for a folder."""
    known: ZooModel | None


def identify(path: Path) -> Identity:
    """Read every byte once for each checksum, a little at a time."""
    if path.is_dir():
        return _folder(path)
    md5, sha = digest_of(path, "md5"), sha256_of(path)
    known = [entry for entry in zoo.models() if md5 == entry.md5 or sha == _sha256(entry)]
    return Identity(path.stat().st_size, sha, md5, next(iter(known), None))


def _sha256(entry: ZooModel) -> str | None:
    return entry.sha256 or _embedded_files().get(entry.name)


@cache
def _embedded_files() -> Mapping[str, str]:
    """Embedded model → SHA-256 of its file. Graphs are TensorFlow 2.21's: each release of it puts
    a number of its own into what it writes, so that a graph of another one is not recognised."""
    text = files("sut.inspection").joinpath("embedded_files.json").read_text("utf-8")
    found: Mapping[str, str] = json.loads(text)
    return found


def _folder(folder: Path) -> Identity:
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return Identity(size, tree_sha256(folder), None, None)
