"""One line of a user.conf: understood, or refused with the nearest right name."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from audit.logs.numbers import written

_LINE = re.compile(r"^(?P<left>\S+) = (?P<value>\S+)$")


@dataclass(frozen=True)
class Entry:
    """One line: ``model.scenario.key = value``. Times in the file's own milliseconds."""

    line: int
    model: str
    scenario: str
    key: str
    value: float

    @property
    def text(self) -> str:
        """The line, written in the one way that all equal lines share."""
        return f"{self.model}.{self.scenario}.{self.key} = {self.value:.12g}"


@lru_cache(maxsize=1)
def known() -> Any:
    """Models, scenarios and keys that a line may name, with the bounds of each key's value."""
    return json.loads(Path(__file__).with_name("keys.json").read_text("utf-8"))


def understood(lines: Iterable[tuple[int, str]]) -> tuple[tuple[Entry, ...], dict[int, str]]:
    """The entries in numbered lines, and what is wrong with each other line, by its number."""
    found = [(number, parse(number, line)) for number, line in lines]
    entries = tuple(one for _, one in found if isinstance(one, Entry))
    return entries, {number: one for number, one in found if isinstance(one, str)}


def parse(number: int, line: str) -> Entry | str:
    """The entry in a line without notes and outer blanks, or what is wrong with it."""
    if line.startswith("\ufeff"):
        return "begins with a byte-order mark, and LoadGen would ignore it; save it without one"
    matched = _LINE.match(line)
    if not matched:
        return f"{line!r} is not of the form 'model.scenario.key = value', spaces included"
    if matched["left"].count(".") != 2:
        return f"{matched['left']!r} is not of the form model.scenario.key"
    model, scenario, key = matched["left"].split(".")
    wrong = _wrong_name(model, scenario, key)
    if wrong:
        return wrong
    value = _value(key, matched["value"])
    return value if isinstance(value, str) else Entry(number, model, scenario, key, value)


def _wrong_name(model: str, scenario: str, key: str) -> str | None:
    table = known()
    if key in table["refused"]:
        return f"{key!r} can't be set here: {table['refused'][key]}"
    checks: tuple[tuple[str, str, Any], ...] = (
        ("model", model, table["models"]),
        ("scenario", scenario, table["scenarios"]),
        ("key", key, list(table["keys"])),
    )
    for kind, name, names in checks:
        if name not in names:
            return f"there is no {kind} {name!r}; the nearest is {_nearest(name, names)!r}"
    allowed = table["keys"][key].get("scenarios")
    if allowed and scenario not in {*allowed, "*"}:
        return f"{key!r} means nothing in {scenario}; it belongs to {', '.join(allowed)}"
    return None


def _nearest(wrong: str, names: list[str]) -> str:
    lowered = {name.lower(): name for name in names}
    found = difflib.get_close_matches(wrong.lower(), lowered, n=1, cutoff=0.0)
    return lowered[found[0]]


def _value(key: str, text: str) -> float | str:
    rule: Mapping[str, Any] = known()["keys"][key]
    value = written(text)
    if value is None:
        return f"{text!r} is not a finite number in the digits 0 to 9"
    if rule["type"] == "integer" and value != int(value):
        return f"{key} takes a whole number, not {text!r}"
    if value <= rule["above"]:
        return f"{key} must be above {rule['above']}, not {text}"
    if "below" in rule and value >= rule["below"]:
        return f"{key} must be below {rule['below']}, not {text}"
    if not rule["least"] <= value <= rule["most"]:
        return f"{key} must lie from {_plain(rule['least'])} to {_plain(rule['most'])}, not {text}"
    return value


def _plain(bound: float) -> str:
    return f"{bound:.12g}"
