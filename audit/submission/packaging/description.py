"""The description of a system, put together from whoever tells a part of it.

Nothing is invented: a demanded field that nobody tells stays empty and is listed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from audit.rules import common_rules
from audit.submission.packaging.own_fields import Unknown, Value

_TABLE = Path(__file__).with_name("description.json")


def merged(*layers: Mapping[str, Value]) -> dict[str, Value]:
    """Every field in the order of the rules, and what else was told, behind them.

    Of the layers the later outrank the earlier; an empty text says nothing.
    """
    known: dict[str, Value] = dict.fromkeys(common_rules()["system_fields"], "")
    for fields in layers:
        known |= {name: value for name, value in fields.items() if value != ""}
    return known


def unknown_fields(description: Mapping[str, Value], file: str) -> Iterator[Unknown]:
    """The demanded fields without a value."""
    for name in common_rules()["system_fields_non_empty"]:
        if description.get(name, "") == "":
            yield Unknown(file, name, _table()["hints"].get(name, ""))


def fields_known() -> Mapping[str, Value]:
    """What holds of every system that loadproof measures."""
    known: Mapping[str, Value] = _table()["always"]
    return known


def fields_without_accelerators() -> Mapping[str, Value]:
    """What holds of a system that was measured without any."""
    known: Mapping[str, Value] = _table()["without_accelerators"]
    return known


@cache
def _table() -> Mapping[str, Any]:
    table: Mapping[str, Any] = json.loads(_TABLE.read_text("utf-8"))
    return table
