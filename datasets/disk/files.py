"""Writing files so that a reader never sees half of one, and hashing them."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let an OSError that names no file, as a full disk raises it, name ``path``."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


@contextlib.contextmanager
def atomic_write(path: Path) -> Iterator[IO[bytes]]:
    """Open a temporary file beside ``path``; on success flush it to disk and rename it there.

    An OSError names ``path``, or the folder of it that can't be made.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = _temporary(path)
    temporary = Path(name)
    try:
        with naming(path), os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _temporary(path: Path) -> tuple[int, str]:
    try:
        return tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        error.filename = str(path)
        raise


def write_json(path: Path, document: Any) -> None:
    """Write ``document`` as indented UTF-8 JSON, atomically; NaN and infinity are refused.

    File names that are not UTF-8 are escaped and read back as they were.
    """
    content = json_bytes(document)
    with atomic_write(path) as file:
        file.write(content)


def json_bytes(document: Any) -> bytes:
    """``document`` as :func:`write_json` writes it; ValueError for NaN and infinity."""
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    return text.encode("utf-8", "backslashreplace")


def sha256_of(path: Path) -> str:
    """SHA-256 of a file's bytes, in hex."""
    return digest_of(path, "sha256")


def digest_of(path: Path, algorithm: str) -> str:
    """The digest of a file's bytes, in hex, by an algorithm that hashlib knows."""
    digest = hashlib.new(algorithm)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def tree_sha256(path: Path) -> str:
    """SHA-256 of a file; of a folder, over the names and checksums of the files in it, in order."""
    if path.is_file():
        return sha256_of(path)
    digest = hashlib.sha256()
    for file in sorted(path.rglob("*")):
        if file.is_file():
            digest.update(f"{file.relative_to(path)} {sha256_of(file)}\n".encode())
    return digest.hexdigest()


def read_json_or_none(path: Path) -> Any:
    """The JSON document at ``path``; None where there is no file or no whole document in it."""
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
