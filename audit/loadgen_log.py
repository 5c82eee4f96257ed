"""LoadGen's detail log, read as it really is.

A log may hold lines of other libraries, blank lines, carriage returns, a byte-order mark, or end in
mid-line. Reading never raises for what stands in the file: every complaint becomes a finding with
its line, and whatever can be read is kept. Lists and objects (the loaded samples, the checksums of
LoadGen's sources) are long and seldom needed, so they are left as their JSON text.
"""

from __future__ import annotations

import codecs
import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit import strict_json
from audit.findings import Finding, finding
from audit.regular_file import read_regular

MARK = ":::MLLOG"

_LINE = re.compile(
    r'\{"key": "(?P<key>[^"\\]+)", "value": (?P<value>.*), "time_ms": [-+.\deE]+, '
    r'"namespace": "[^"]*", "event_type": "[^"]*", '
    r'"metadata": \{"is_error": (?P<is_error>true|false), "is_warning": (?P<is_warning>true|false)'
    r"[^{}]*\}\}"
)
_SINGLE_VALUED = ("effective_", "requested_", "result_", "early_stopping_", "qsl_", "num_errors")
_NOT_JSON = {
    "nan": math.nan,
    "-nan": math.nan,
    "inf": math.inf,
    "-inf": -math.inf,
}
_BEYOND = 1e21
"""Larger than any seed, count or time in ns that LoadGen logs; infinity and NaN aren't below it."""
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True)
class Entry:
    """One line that LoadGen logged."""

    key: str
    value: Any
    """A number, a truth value or a text; a list or an object as its JSON text."""
    line: int
    is_error: bool
    is_warning: bool


@dataclass(frozen=True)
class DetailLog:
    """All entries of one detail log."""

    where: str
    """How findings name the file."""
    entries: Mapping[str, tuple[Entry, ...]]
    errors: tuple[Entry, ...]
    warnings: tuple[Entry, ...]
    problems: tuple[Finding, ...]
    """What is wrong with the file itself."""

    def first(self, key: str) -> Any:
        """The first value logged for ``key``, or None."""
        found = self.entries.get(key)
        return found[0].value if found else None

    def value(self, key: str) -> Any:
        """The last value logged for ``key``, or None."""
        found = self.entries.get(key)
        return found[-1].value if found else None

    def number(self, key: str) -> float | None:
        """The last value of ``key`` where it is a number that LoadGen can mean, else None."""
        value = self.value(key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        return value if abs(value) < _BEYOND else None

    def place(self, key: str) -> str:
        """``file:line`` of the last entry for ``key``; the file alone where there is none."""
        found = self.entries.get(key)
        return f"{self.where}:{found[-1].line}" if found else self.where


def read_detail(path: Path, where: str | None = None) -> DetailLog:
    """Read ``mlperf_log_detail.txt``. EvidenceError only where it is no file that can be read.

    ``where`` is how findings name the file; its path if not given.
    """
    name = where or str(path)
    return parse_detail(read_regular(path, name), name)


def parse_detail(raw: bytes, name: str) -> DetailLog:
    """The log whose file holds ``raw``; findings call it ``name``."""
    text, damaged = _decode(raw)
    entries, problems = _parse(text, name)
    if damaged:
        problems.insert(0, finding("log.encoding", name))
    if not entries:
        problems.append(finding("log.empty", name))
    return DetailLog(
        where=name,
        entries=_by_key(entries),
        errors=tuple(entry for entry in entries if entry.is_error),
        warnings=tuple(entry for entry in entries if entry.is_warning),
        problems=(*problems, *_contradictions(_by_key(entries), name)),
    )


def _decode(raw: bytes) -> tuple[str, bool]:
    encoding = next((name for mark, name in _BYTE_ORDER_MARKS if raw.startswith(mark)), "utf-8")
    try:
        return raw.decode(encoding), False
    except UnicodeDecodeError:
        return raw.decode(encoding, errors="replace"), True


def _parse(text: str, where: str) -> tuple[list[Entry], list[Finding]]:
    entries: list[Entry] = []
    problems: list[Finding] = []
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        start = line.find(MARK)
        if start < 0:
            continue
        entry = _entry(line[start + len(MARK) :].strip(), number)
        if entry is not None:
            entries.append(entry)
            continue
        rule = "log.cut" if number == len(lines) else "log.malformed"
        problems.append(finding(rule, f"{where}:{number}", found=line[:80]))
    problems.extend(_not_finite(entries, where))
    return entries, problems


def _entry(body: str, line: int) -> Entry | None:
    match = _LINE.fullmatch(body)
    if match is None:
        return _unusual_entry(body, line)
    try:
        value = _value(match["value"])
    except ValueError:
        return None
    return Entry(
        key=match["key"],
        value=value,
        line=line,
        is_error=match["is_error"] == "true",
        is_warning=match["is_warning"] == "true",
    )


def _value(text: str) -> Any:
    if text.startswith(("[", "{")):
        return text
    return _NOT_JSON[text] if text in _NOT_JSON else json.loads(text)


def _unusual_entry(body: str, line: int) -> Entry | None:
    """A line whose members stand in another order or spacing than LoadGen writes today."""
    try:
        document = strict_json.loads(body)
        metadata = document["metadata"]
        return Entry(
            key=str(document["key"]),
            value=document["value"],
            line=line,
            is_error=metadata["is_error"] is True,
            is_warning=metadata["is_warning"] is True,
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _by_key(entries: Iterable[Entry]) -> dict[str, tuple[Entry, ...]]:
    table: dict[str, list[Entry]] = {}
    for entry in entries:
        table.setdefault(entry.key, []).append(entry)
    return {key: tuple(found) for key, found in table.items()}


def _not_finite(entries: Iterable[Entry], where: str) -> list[Finding]:
    return [
        finding("log.not_finite", f"{where}:{entry.line}", found=entry.value, key=entry.key)
        for entry in entries
        if isinstance(entry.value, float) and not math.isfinite(entry.value)
    ]


def _contradictions(table: Mapping[str, tuple[Entry, ...]], where: str) -> list[Finding]:
    """Keys that LoadGen logs once, found with several values."""
    return [
        finding(
            "log.contradiction",
            f"{where}:{found[-1].line}",
            found=found[-1].value,
            expected=found[0].value,
            key=key,
            first_line=found[0].line,
        )
        for key, found in table.items()
        if key.startswith(_SINGLE_VALUED) and len({repr(entry.value) for entry in found}) > 1
    ]
