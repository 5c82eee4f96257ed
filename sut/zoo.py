"""Models known by name: which file each is, and in which precision it computes.

The models are data (zoo.json, whose form zoo.schema.json states); nothing here fetches or opens
one. Official models are MLCommons' own files, and :mod:`datasets.fetching.sources` has their places
and checksums; embedded ones are made by loadproof and are no MLPerf models. How a model is driven
is read from its file, and what it must score is the round's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from datasets.errors import UsageError
from datasets.fetching.sources import source


@dataclass(frozen=True)
class ZooModel:
    """One model file. None is what is not known."""

    name: str
    benchmark: str
    origin: Literal["official", "embedded"]
    file: str
    """Its name as published, and as found in a folder of models."""
    md5: str | None
    """Of the published file, by :mod:`datasets.fetching.sources`; None for an embedded model."""
    sha256: str | None
    precision: str
    """``int8`` may be a float32 file with quantisation nodes."""

    @property
    def suffix(self) -> str:
        """Ending of the file, which decides the runtimes that read it: ``.onnx``, ``.pb``."""
        return f".{self.file.rpartition('.')[2]}"


def model(name: str) -> ZooModel:
    """The model called ``name``; UsageError lists the known ones."""
    found = _zoo().get(name)
    if found is None:
        known = ", ".join(_zoo())
        raise UsageError(f"There is no model called {name!r} in the zoo; it has: {known}.")
    return found


def models(benchmark: str | None = None, suffix: str | None = None) -> tuple[ZooModel, ...]:
    """Models of a benchmark and file ending, either of them any where None; preferred first."""
    return tuple(
        entry
        for entry in _zoo().values()
        if benchmark in (None, entry.benchmark) and suffix in (None, entry.suffix)
    )


@cache
def _zoo() -> Mapping[str, ZooModel]:
    import jsonschema

    document = _document("zoo.json")
    jsonschema.validate(document, _document("zoo.schema.json"))
    return {entry["name"]: _model(entry) for entry in document["models"]}


def _document(name: str) -> Mapping[str, Any]:
    document: Mapping[str, Any] = json.loads(files("sut").joinpath(name).read_text("utf-8"))
    return document


def _model(entry: Mapping[str, Any]) -> ZooModel:
    published = source(entry["name"]) if entry["origin"] == "official" else None
    return ZooModel(
        **entry,
        md5=published.md5 if published else None,
        sha256=published.sha256 if published else None,
    )
