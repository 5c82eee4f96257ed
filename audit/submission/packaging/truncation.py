"""Accuracy logs as a submission holds them: both ends, with the hash of the whole beside them."""

from __future__ import annotations

import os
from pathlib import Path

from datasets.disk import regular

ENDS_BYTES = 4096
"""Of each end that stays, as MLCommons' own tool keeps them."""
MIDDLE = b"\n\n...\n\n"


def viewable(path: Path, most_bytes: int) -> bytes:
    """The accuracy log at ``path``, cut to its ends where it is longer than ``most_bytes``.

    A log that was cut already stays as it is.
    """
    regular.refuse_irregular(path)
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        if size <= most_bytes:
            return file.read()
        start = file.read(ENDS_BYTES)
        file.seek(size - ENDS_BYTES)
        return start + MIDDLE + file.read()
