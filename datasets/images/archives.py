"""The published archives of ImageNet's validation images, known by their names.

A file that bears such a name must be that archive: its size is compared before anything in it is
read, its checksum while the images are prepared, so that nobody waits for it twice.
"""

from __future__ import annotations

from pathlib import Path

from datasets.errors import DataError
from datasets.fetching.sources import Source, source

_SOURCES = ("imagenet-val", "imagenet-val-500")


def published_archives() -> tuple[Source, ...]:
    """All known archives, the whole validation set first."""
    return tuple(source(name) for name in _SOURCES)


def published_as(path: Path) -> Source | None:
    """What the archive at ``path`` must be, by its name; None where the name is nobody's."""
    return next((known for known in published_archives() if known.file == path.name), None)


def require_size(path: Path, published: Source) -> None:
    """DataError unless ``path`` has the published size; nothing of it is read."""
    size_bytes = path.stat().st_size
    if published.size_bytes not in (None, size_bytes):
        raise DataError(
            f"{path} has {size_bytes} bytes, but the published {published.file} has "
            f"{published.size_bytes}: fetch it again."
        )


def require_checksum(path: Path, published: Source) -> None:
    """DataError unless the bytes of ``path`` are the published ones."""
    problem = published.checksum.mismatch(path) if published.checksum else ""
    if problem:
        raise DataError(f"{path} has {problem}: fetch it again.")
