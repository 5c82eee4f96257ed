"""What the operating system refuses, as a sentence: what it said, of which path, and what to do."""

from __future__ import annotations

import errno
import json
from importlib.resources import files

from datasets.errors import LoadproofError, StorageError


def explained(error: OSError) -> LoadproofError | OSError:
    """A StorageError with the sentence; ``error`` itself where nothing is known to be done."""
    advice = _advice().get(errno.errorcode.get(error.errno or 0, ""))
    if advice is None:
        return error
    place = error.filename2 or error.filename
    where = f" at {place}" if place else ""
    return StorageError(f"{error.strerror}{where}: {advice}.")


def _advice() -> dict[str, str]:
    table: dict[str, str] = json.loads(
        files("harness").joinpath("system_errors.json").read_text("utf-8")
    )
    return table
