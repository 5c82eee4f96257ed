"""Files known by name: where they are published, and how to tell that a file is the right one.

The sources are data (sources.json, whose form sources.schema.json states). Official models go by
the names they have in the zoo. A source without a checksum can be fetched, but nobody can tell that
what came is right: whoever fetches one is told so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from datasets.errors import UsageError
from datasets.fetching.checksum import Checksum


@dataclass(frozen=True)
class Source:
    """One published file. None is what is not known."""

    name: str
    file: str
    """Its name as published, which more than one source may have."""
    about: str
    urls: tuple[str, ...]
    """In the order to try; empty for what each user must get from its owner."""
    size_bytes: int | None
    about_bytes: int | None
    """Rounded size, where the exact one is not known."""
    md5: str | None
    sha256: str | None
    licence: str | None

    @property
    def checksum(self) -> Checksum | None:
        """The strongest checksum that is known."""
        if self.sha256:
            return Checksum("sha256", self.sha256)
        return Checksum("md5", self.md5) if self.md5 else None


def source(name: str) -> Source:
    """The source called ``name``; UsageError lists the known ones."""
    found = _sources().get(name)
    if found is None:
        known = ", ".join(_sources())
        raise UsageError(f"There is no source called {name!r}; the known ones are: {known}.")
    return found


def sources() -> tuple[Source, ...]:
    """All known sources: models, then data."""
    return tuple(_sources().values())


@cache
def _sources() -> Mapping[str, Source]:
    import jsonschema

    document = _document("sources.json")
    jsonschema.validate(document, _document("sources.schema.json"))
    return {
        entry["name"]: Source(**{**entry, "urls": tuple(entry["urls"])})
        for entry in document["sources"]
    }


def _document(name: str) -> Mapping[str, Any]:
    document: Mapping[str, Any] = json.loads(
        files("datasets.fetching").joinpath(name).read_text("utf-8")
    )
    return document
