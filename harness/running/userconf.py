"""A strict reader and a writer of LoadGen's user.conf.

LoadGen's own parser ignores what it does not understand and returns success. Here every line is
either understood or refused with its number and the nearest right key.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from audit.numbers import written
from datasets.errors import UsageError
from datasets.regular import read_regular
from harness.spec import LoadGenSettings

_LINE = re.compile(r"^(?P<left>\S+) = (?P<value>\S+)$")
_NANOSECONDS = 1_000_000


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
def _known() -> Any:
    return json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))


def render(settings: LoadGenSettings) -> str:
    """The user.conf that asks for ``settings``, as a submission carries it."""
    keys: dict[str, float | int | None] = {
        "target_qps": settings.target_qps,
        "target_latency": _milliseconds(
            settings.target_latency_ns
            if settings.scenario == "Server"
            else settings.expected_latency_ns
        ),
        "min_duration": settings.min_duration_ms,
        "min_query_count": settings.min_query_count,
    }
    lines = [
        f"*.{settings.scenario}.{key} = {value:.12g}\n"
        for key, value in keys.items()
        if value is not None
    ]
    return "".join(lines)


def _milliseconds(nanoseconds: int | None) -> float | None:
    return None if nanoseconds is None else nanoseconds / _NANOSECONDS


def read(path: Path) -> tuple[Entry, ...]:
    """All entries of a user.conf; UsageError names the file and every line that is wrong."""
    text = _text(path)
    entries: list[Entry] = []
    wrong: list[str] = []
    for number, line in _lines(text):
        found = _parse(number, line)
        if isinstance(found, Entry):
            entries.append(found)
        else:
            wrong.append(f"line {number}: {found}")
    if wrong:
        raise UsageError(f"{path}: " + "; ".join(wrong) + ".")
    return tuple(entries)


def entries_of(texts: Iterable[str]) -> tuple[Entry, ...]:
    """The entries that :attr:`Entry.text` wrote; UsageError for a line that it did not."""
    found = [_parse(number, text) for number, text in enumerate(texts, 1)]
    wrong = [one for one in found if isinstance(one, str)]
    if wrong:
        raise UsageError(
            f"The user.conf in the plan can't be read: {'; '.join(wrong)}; measure with --fresh."
        )
    return tuple(one for one in found if isinstance(one, Entry))


def _text(path: Path) -> str:
    try:
        return read_regular(path).decode()
    except FileNotFoundError as error:
        raise UsageError(f"There is no user.conf at {path}; check the path.") from error
    except IsADirectoryError as error:
        raise UsageError(f"{path} is a folder, not a user.conf; name the file itself.") from error
    except OSError as error:
        raise UsageError(f"{path} can't be read as a user.conf: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{path} can't be read as a user.conf: it is no UTF-8 text from byte {error.start} on."
        ) from error


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        content = line.partition("#")[0].strip(" \t\r")
        if content:
            yield number, content


def _parse(number: int, line: str) -> Entry | str:
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
    known = _known()
    if key in known["refused"]:
        return f"{key!r} can't be set here: {known['refused'][key]}"
    checks: tuple[tuple[str, str, Any], ...] = (
        ("model", model, known["models"]),
        ("scenario", scenario, known["scenarios"]),
        ("key", key, list(known["keys"])),
    )
    for kind, name, names in checks:
        if name not in names:
            return f"there is no {kind} {name!r}; the nearest is {_nearest(name, names)!r}"
    allowed = known["keys"][key].get("scenarios")
    if allowed and scenario not in {*allowed, "*"}:
        return f"{key!r} means nothing in {scenario}; it belongs to {', '.join(allowed)}"
    return None


def _nearest(name: str, names: list[str]) -> str:
    lowered = {known.lower(): known for known in names}
    found = difflib.get_close_matches(name.lower(), lowered, n=1, cutoff=0.0)
    return lowered[found[0]]


def _value(key: str, text: str) -> float | str:
    rule: Mapping[str, Any] = _known()["keys"][key]
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


def settings_for(
    entries: tuple[Entry, ...], benchmark: str, scenario: str
) -> dict[str, float | int]:
    """LoadGenSettings fields that the entries decide for one benchmark and scenario.

    As in LoadGen, ``*.Scenario`` outranks ``model.*``, and of equals the last wins. Latencies come
    back in whole nanoseconds, percentiles as shares.
    """
    ranked: dict[str, tuple[int, float]] = {}
    for entry in entries:
        if _is_about(entry, benchmark, scenario):
            rank = 2 * (entry.scenario != "*") + (entry.model != "*")
            if rank >= ranked.get(entry.key, (-1, 0.0))[0]:
                ranked[entry.key] = (rank, entry.value)
    return dict(_field(key, value, scenario) for key, (_, value) in ranked.items())


def _is_about(entry: Entry, benchmark: str, scenario: str) -> bool:
    """Also a line about every scenario means nothing in one that has no such setting."""
    meant = _known()["keys"][entry.key].get("scenarios", [scenario])
    named = entry.model in {"*", benchmark} and entry.scenario in {"*", scenario}
    return named and scenario in meant


def _field(key: str, value: float, scenario: str) -> tuple[str, float | int]:
    match key:
        case "target_latency":
            name = "target_latency_ns" if scenario == "Server" else "expected_latency_ns"
            return name, round(value * _NANOSECONDS)
        case "target_latency_percentile":
            return "percentile", value / 100
        case "min_duration":
            return "min_duration_ms", int(value)
        case "performance_sample_count_override":
            return "performance_sample_count", int(value)
        case "target_qps":
            return key, value
        case _:
            return key, int(value)
