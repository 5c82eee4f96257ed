"""Naming many things in one sentence, without losing any of them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence

SHOWN = 20


def listed(items: Sequence[str], separator: str = ", ") -> str:
    """All of ``items``; of more than fit a sentence the first, how many more there are, and the
    file, made for it, that has them all."""
    if len(items) <= SHOWN:
        return separator.join(items)
    handle, path = tempfile.mkstemp(prefix="loadproof-list-", suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.writelines(f"{item}\n" for item in items)
    more = len(items) - SHOWN
    return f"{separator.join(items[:SHOWN])} and {more} more; all of them are in {path}"
