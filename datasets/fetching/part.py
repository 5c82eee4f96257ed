"""What has arrived of a file so far, kept beside it so that a later start goes on from there.

The bytes lie in ``.FILE.part`` and where they came from in ``.FILE.part.json``. A process may be
killed between any two steps: the origin is renewed only while the part is empty or being continued
from a place that agreed to, so it never speaks for bytes of another file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import IO

from datasets.disk.files import naming, read_json_or_none, write_json


@dataclass(frozen=True)
class Origin:
    """Where bytes came from, and what was told about the whole file there."""

    url: str
    validator: str | None
    total_bytes: int | None


class Part:
    """The part that has arrived of the file at ``whole``."""

    def __init__(self, whole: Path) -> None:
        self.path = whole.with_name(f".{whole.name}.part")
        self._told = whole.with_name(f".{whole.name}.part.json")

    @property
    def size_bytes(self) -> int:
        return self.path.stat().st_size if self.path.is_file() else 0

    @property
    def origin(self) -> Origin | None:
        """Of the bytes there are; None where there are none or it is not known."""
        told = read_json_or_none(self._told) if self.size_bytes else None
        if not isinstance(told, dict) or told.keys() != {field.name for field in fields(Origin)}:
            return None
        return Origin(**told)

    @property
    def is_whole(self) -> bool:
        """Whether as much has arrived as there was to come."""
        origin = self.origin
        return origin is not None and origin.total_bytes == self.size_bytes

    def begin(self, origin: Origin) -> None:
        """Forget what has arrived; what comes now is from ``origin``."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(b"")
        self.go_on(origin)

    def go_on(self, origin: Origin) -> None:
        """What comes now is from ``origin`` and continues what there is."""
        write_json(self._told, asdict(origin))

    @contextmanager
    def appending(self) -> Iterator[IO[bytes]]:
        """The part open for more bytes; they are on the disk once this ends without an error."""
        with self.path.open("ab") as file:
            yield file
            with naming(self.path):
                file.flush()
                os.fsync(file.fileno())

    def clear(self) -> None:
        """Forget everything."""
        self.path.unlink(missing_ok=True)
        self._told.unlink(missing_ok=True)
