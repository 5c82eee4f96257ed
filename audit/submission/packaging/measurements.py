"""The file of measurements of an entry: what the model takes, and what became of its weights."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from audit.rules import common_rules
from audit.submission.packaging.choosing import Chosen
from datasets import sources
from datasets.errors import UsageError

_TABLE = Path(__file__).with_name("measurements.json")


def measurements_of(chosen: Chosen, own: Mapping[str, str]) -> dict[str, str]:
    """The five fields of an entry, in order; ``own`` values first, empty text for unknown ones."""
    known = {**_known(chosen), **own}
    return {name: known.get(name, "") for name in common_rules()["measurement_fields"]}


def _known(chosen: Chosen) -> dict[str, str]:
    model, precision = chosen.spec["model"], chosen.spec["backend"]["precision"]
    origin = _table()["origins"][model["origin"]]
    return {
        "input_data_types": _data_type(chosen.record["facts"]),
        "retraining": origin.get("retraining", ""),
        "starting_weights_filename": starting_weights(model),
        "weight_data_types": precision,
        "weight_transformations": origin["weight_transformations"].get(precision, ""),
    }


def _data_type(facts: Mapping[str, str]) -> str:
    """The type of the model's input, in the field's words; empty where no fact tells it."""
    found = facts.get("input_dtype", "")
    return str(_table()["data_types"].get(found, found))


def starting_weights(model: Mapping[str, Any]) -> str:
    """Where an official model is published; the name of any other."""
    try:
        urls = sources.source(model["name"]).urls
    except UsageError:
        urls = ()
    if model["origin"] == "official" and urls:
        return str(urls[0])
    own = model["origin"] == "own" and model["path"]
    return PurePosixPath(model["path"]).name if own else str(model["name"])


@cache
def _table() -> Mapping[str, Any]:
    table: Mapping[str, Any] = json.loads(_TABLE.read_text("utf-8"))
    return table
