"""What the operating system refuses, as a sentence: what it said, of which path, and what to do."""

from __future__ import annotations

import errno
import json
import os
from importlib.resources import files
from pathlib import Path

from datasets.errors import LoadproofError, StorageError


def explained(error: OSError) -> LoadproofError | OSError:
    """A StorageError with the sentence; ``error`` itself where nothing is known to be done."""
    advice = _advice().get(errno.errorcode.get(error.errno or 0, ""))
    if advice is None:
        return error
    place = error.filename2 or error.filename
    named = isinstance(place, str | bytes) and place
    where = f" at {Path(os.fsdecode(place)).absolute()}" if named else ""
    return StorageError(f"{error.strerror}{where}: {advice}.")


def _advice() -> dict[str, str]:
    table: dict[str, str] = json.loads(
        files("harness").joinpath("system_errors.json").read_text("utf-8")
    )
    return table
