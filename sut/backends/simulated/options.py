"""What a simulated device can be told, read from the text of its options."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from datasets.errors import UsageError

_TABLE: Mapping[str, Mapping[str, Any]] = json.loads(
    files(__package__).joinpath("options.json").read_text("utf-8")
)
DESCRIPTIONS: Mapping[str, str] = {name: entry["what"] for name, entry in _TABLE.items()}


@dataclass(frozen=True)
class SimulatedOptions:
    """The options by name; options.json says what each does and what it is by default."""

    base_ms: float
    per_sample_ms: float
    jitter_percent: float
    drift_percent: float
    seed: int
    error_rate: float
    empty: bool
    raise_at: int
    hang_at: int
    exit_at: int
    segfault_at: int


def read_options(given: Mapping[str, str]) -> SimulatedOptions:
    """The options ``given``, all of known names, over the defaults; UsageError for a bad value."""
    values: dict[str, Any] = {
        name: _value(name, entry, given[name]) if name in given else entry["default"]
        for name, entry in _TABLE.items()
    }
    return SimulatedOptions(**values)


def _value(name: str, entry: Mapping[str, Any], text: str) -> float | int | bool:
    if entry["kind"] == "flag":
        return _flag(name, text)
    wanted, read = ("a whole number", int) if entry["kind"] == "count" else ("a number", float)
    try:
        value: float = read(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= entry["maximum"]:
        raise UsageError(
            f"Option {name}={text} of the backend simulated must be {wanted} from 0 to "
            f"{entry['maximum']}."
        )
    return value


def _flag(name: str, text: str) -> bool:
    if text not in ("true", "false"):
        raise UsageError(f"Option {name}={text} of the backend simulated must be true or false.")
    return text == "true"
