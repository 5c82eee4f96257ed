"""Reading a file of the evidence, which others may have put there.

Only a regular file is opened: a named pipe would be waited for without end, a device read without
end.
"""

from __future__ import annotations

import stat
from pathlib import Path

from datasets.errors import EvidenceError
from datasets.files import sha256_of


def read_regular(path: Path, name: str | None = None) -> bytes:
    """The bytes of ``path``; ``name`` is how messages call it, its path if not given.

    EvidenceError where it is no regular file (nor a link to one) or can't be read.
    """
    called = name or str(path)
    try:
        _require_regular(path, called)
        return path.read_bytes()
    except OSError as error:
        raise EvidenceError(f"{called} can't be read: {error.strerror}.") from error


def sha256_or_none(path: Path) -> str | None:
    """SHA-256 of a regular file, in hex; None where there is none that can be read."""
    try:
        _require_regular(path, str(path))
        return sha256_of(path)
    except (OSError, EvidenceError):
        return None


def _require_regular(path: Path, called: str) -> None:
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode):
        raise EvidenceError(f"{called} can't be read: it is {_kind(mode)}, not a regular file.")


def _kind(mode: int) -> str:
    kinds = {
        stat.S_IFDIR: "a folder",
        stat.S_IFIFO: "a named pipe",
        stat.S_IFSOCK: "a socket",
    }
    return kinds.get(stat.S_IFMT(mode), "a device")
