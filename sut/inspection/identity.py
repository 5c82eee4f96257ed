"""Which model a file is: its size, its checksums, and the entry of the zoo that has them."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from datasets.files import digest_of, sha256_of
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
    known = [entry for entry in zoo.models() if md5 == entry.md5 or sha == entry.sha256]
    return Identity(path.stat().st_size, sha, md5, next(iter(known), None))


def _folder(folder: Path) -> Identity:
    digest, size = sha256(), 0
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(folder)} {sha256_of(path)}\n".encode())
            size += path.stat().st_size
    return Identity(size, digest.hexdigest(), None, None)
