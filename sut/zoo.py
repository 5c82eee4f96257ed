"""Models known by name: how they are driven and what they should score.

The models are data (zoo.json, whose form zoo.schema.json states); nothing here fetches or opens
one. Official models are MLCommons' own files, and :mod:`datasets.sources` has their places and
checksums; embedded ones are made by loadproof and are no MLPerf models: their reference accuracy is
recorded with their weights.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from datasets.errors import UsageError
from datasets.sources import source


@dataclass(frozen=True)
class Accuracy:
    """What the reference implementation reaches with the model."""

    metric: Literal["top1_percent", "f1_percent"]
    reference: float
    """In percent; a round asks for a share of it."""


@dataclass(frozen=True)
class ZooModel:
    """One model file. None is what is not known."""

    name: str
    benchmark: str
    origin: Literal["official", "embedded"]
    file: str
    """Its name as published, and as found in a folder of models."""
    md5: str | None
    """Of the published file, as :mod:`datasets.sources` has it; None for an embedded model."""
    sha256: str | None
    opset: int | None
    precision: str
    """``int8`` may be a float32 file with quantisation nodes."""
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    accuracy: Accuracy | None

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
    lists = {key: tuple(entry[key]) for key in ("inputs", "outputs")}
    accuracy = Accuracy(**entry["accuracy"]) if entry["accuracy"] else None
    published = source(entry["name"]) if entry["origin"] == "official" else None
    return ZooModel(
        **{**entry, **lists, "accuracy": accuracy},
        md5=published.md5 if published else None,
        sha256=published.sha256 if published else None,
    )
