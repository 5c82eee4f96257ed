"""The checksum that was promised for a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from datasets.disk.files import digest_of

_LABELS = {"md5": "MD5", "sha256": "SHA-256"}


@dataclass(frozen=True)
class Checksum:
    """A digest in hex, with the algorithm that makes it."""

    algorithm: Literal["md5", "sha256"]
    value: str

    def __str__(self) -> str:
        return f"{_LABELS[self.algorithm]} {self.value}"

    def mismatch(self, path: Path) -> str:
        """Empty where the file at ``path`` is as promised; else both sums, as part of a sentence:
        ``the MD5 … where … was promised``."""
        found = digest_of(path, self.algorithm)
        if found == self.value:
            return ""
        return f"the {_LABELS[self.algorithm]} {found} where {self.value} was promised"
