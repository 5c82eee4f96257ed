"""The file of measurements of an entry: what the model takes, and what became of its weights."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from audit.rules import common_rules
from audit.submission.packaging.choosing import Chosen
from audit.submission.packaging.making import Making, making_of
from datasets.errors import UsageError
from datasets.fetching import sources

_TABLE = Path(__file__).with_name("measurements.json")


def measurements_of(chosen: Chosen, own: Mapping[str, str]) -> dict[str, str]:
    """The five fields of an entry, in order; ``own`` values first, empty text for unknown ones."""
    known = {**_known(chosen), **own}
    return {name: known.get(name, "") for name in common_rules()["measurement_fields"]}


def _known(chosen: Chosen) -> dict[str, str]:
    model, precision = chosen.spec["model"], chosen.spec["backend"]["precision"]
    making = making_of(chosen)
    origin = _table()["origins"][model["origin"]]
    weights = {
        "retraining": origin.get("retraining", ""),
        "starting_weights_filename": starting_weights(model),
        "weight_transformations": origin["weight_transformations"].get(precision, ""),
    }
    return {
        "input_data_types": _data_type(chosen.record["facts"]),
        "weight_data_types": precision,
        **(_made(making) if making else weights),
    }


def _made(making: Making) -> dict[str, str]:
    """Of a model that was made from another; what that one is, only its published name tells."""
    address = _address(making.source)
    published = _table()["origins"]["official" if address else "own"]
    return {
        "retraining": published.get("retraining", ""),
        "starting_weights_filename": address or making.source,
        "weight_transformations": making.method,
    }


def _data_type(facts: Mapping[str, str]) -> str:
    """The type of the model's input, in the field's words; empty where no fact tells it."""
    found = facts.get("input_dtype", "")
    return str(_table()["data_types"].get(found, found))


def starting_weights(model: Mapping[str, Any]) -> str:
    """Where an official model is published; the name of any other."""
    address = _address(model["name"]) if model["origin"] == "official" else ""
    own = model["origin"] == "own" and model["path"]
    return address or (PurePosixPath(model["path"]).name if own else str(model["name"]))


def _address(name: str) -> str:
    """Where the model of that name is published; empty where none is."""
    try:
        return next(iter(sources.source(name).urls), "")
    except UsageError:
        return ""


@cache
def _table() -> Mapping[str, Any]:
    table: Mapping[str, Any] = json.loads(_TABLE.read_text("utf-8"))
    return table
