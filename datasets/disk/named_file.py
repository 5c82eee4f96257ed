"""Writing to a place that a user named, whatever lies there.

Evidence is written by :mod:`datasets.disk.files` and replaces what has its name. What a user names
may be a link, a pipe, a terminal or the file that standard output goes to: a link stays a link and
its target is written, and what is no regular file stays what it is.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from datasets.disk.files import atomic_write, json_bytes, naming
from datasets.disk.regular import irregular

_STANDARD = (1, 2)
"""Descriptors whose file must not be replaced under whoever wrote to it before."""


@contextlib.contextmanager
def named_write(path: Path) -> Iterator[IO[bytes]]:
    """Open ``path`` for writing: a regular or new file whole or not at all, all else in place.

    OSError where it can't be opened; a pipe that nobody reads is not waited for.
    """
    descriptor = _descriptor(path)
    if descriptor is None:
        with atomic_write(Path(os.path.realpath(path))) as file:
            yield file
        return
    with naming(path), os.fdopen(descriptor, "wb") as file:
        yield file


def write_named_json(path: Path, document: Any) -> None:
    """Write ``document`` as JSON, as :func:`datasets.disk.files.write_json` does, to where ``path``
    leads."""
    content = json_bytes(document)
    with named_write(path) as file:
        file.write(content)


def _descriptor(path: Path) -> int | None:
    """What is open at ``path`` already, or has to be written in place; None for any other file."""
    try:
        there = path.stat()
        kind = irregular(path)
    except FileNotFoundError:
        return None
    for standard in _STANDARD:
        if os.path.samestat(there, os.fstat(standard)):
            return os.dup(standard)
    if kind is None:
        return None
    descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
    os.set_blocking(descriptor, True)
    return descriptor
