"""Reading a file of the evidence, which others may have put there.

Only a regular file is opened: a named pipe would be waited for without end, a device read without
end.
"""

from __future__ import annotations

from pathlib import Path

from datasets.disk import regular
from datasets.disk.files import sha256_of
from datasets.errors import EvidenceError


class UnreadableError(EvidenceError):
    """A file that can't be read; ``reason`` is why, without its name."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name} can't be read: {reason}.")
        self.reason = reason


def read_regular(path: str | Path, name: str | None = None) -> bytes:
    """The bytes of ``path``; ``name`` is how messages call it, its path if not given.

    UnreadableError where it is no file (nor a link to one) or can't be read.
    """
    try:
        return regular.read_regular(path)
    except IsADirectoryError:
        reason = "it is a folder, not a file"
    except OSError as error:
        reason = error.strerror or str(error)
    raise UnreadableError(str(name or path), reason)


def sha256_or_none(path: Path) -> str | None:
    """SHA-256 of a regular file, in hex; None where there is none that can be read."""
    try:
        regular.refuse_irregular(path)
        return sha256_of(path)
    except OSError:
        return None
