"""Where the bytes of one file lie: in the file itself, or in a stretch of an archive."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from datasets.disk.regular import refuse_irregular


@dataclass(frozen=True)
class Extent:
    """``size_bytes`` bytes of ``path``, from ``offset`` on."""

    path: Path
    size_bytes: int
    modified_ns: int
    """When ``path`` was changed last."""
    offset: int = 0
    member: str | None = None
    """The name inside the archive ``path``; None for a file of its own."""

    def __str__(self) -> str:
        return str(self.path) if self.member is None else f"{self.member} in {self.path}"

    def read(self) -> bytes:
        """The bytes, fewer where the file has become shorter; OSError where there is none."""
        descriptor = os.open(self.path, os.O_RDONLY)
        try:
            return os.pread(descriptor, self.size_bytes, self.offset)
        finally:
            os.close(descriptor)


def whole_file(path: Path) -> Extent:
    """The file ``path`` as it is now; OSError where there is none."""
    refuse_irregular(path)
    status = path.stat()
    return Extent(path, status.st_size, status.st_mtime_ns)
