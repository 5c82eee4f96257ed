"""LoadGen's detail log, read as it really is.

A log may hold lines of other libraries, blank lines, carriage returns, a byte-order mark, or end in
mid-line. Reading never raises for what stands in the file: every complaint becomes a finding with
its line, and whatever can be read is kept. Lists and objects (the loaded samples, the checksums of
LoadGen's sources) are long and seldom needed, so they are left as their JSON text.
"""

from __future__ import annotations

import codecs
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from audit.findings import Finding, finding
from audit.logs.log_entry import Entry
from audit.logs.log_lines import Entries, Unread, read_lines
from audit.regular_file import read_regular

_SINGLE_VALUED = ("effective_", "requested_", "result_", "early_stopping_", "qsl_", "num_errors")
_BEYOND = 1e21
"""Larger than any seed, count or time in ns that LoadGen logs; infinity and NaN aren't below it."""
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    *((mark, "utf-16") for mark in _UTF_16),
)


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
    _values: dict[str, Any] = field(default_factory=dict, init=False, compare=False, repr=False)
    """What was asked for already: a log is asked for the same few values again and again."""

    def first(self, key: str) -> Any:
        """The first value logged for ``key``, or None."""
        found = self.entries.get(key)
        return found[0].value if found else None

    def value(self, key: str) -> Any:
        """The last value logged for ``key``, or None."""
        if key not in self._values:
            self._values[key] = self.entries[key][-1].value if key in self.entries else None
        return self._values[key]

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
    lines = read_lines(text)
    return DetailLog(
        where=name,
        entries=lines.entries,
        errors=tuple(entry for entry in lines.peculiar if entry.is_error),
        warnings=tuple(entry for entry in lines.peculiar if entry.is_warning),
        problems=(
            *([finding("log.encoding", name)] if damaged else ()),
            *([finding("log.foreign_encoding", name)] if raw.startswith(_UTF_16) else ()),
            *([finding("log.nul", name)] if "\0" in text else ()),
            *(_unread(one, name) for one in lines.unread),
            *_not_finite(lines.peculiar, name),
            *(() if lines.entries else [finding("log.empty", name)]),
            *_contradictions(lines.entries, name),
        ),
    )


def _decode(raw: bytes) -> tuple[str, bool]:
    encoding = next((name for mark, name in _BYTE_ORDER_MARKS if raw.startswith(mark)), "utf-8")
    try:
        return raw.decode(encoding), False
    except UnicodeDecodeError:
        return raw.decode(encoding, errors="replace"), True


def _unread(one: Unread, where: str) -> Finding:
    rule = "log.malformed" if one.ended else "log.cut"
    return finding(rule, f"{where}:{one.line}", found=one.text[:80])


def _not_finite(entries: Iterable[Entry], where: str) -> Iterator[Finding]:
    for entry in entries:
        if isinstance(entry.value, float) and not math.isfinite(entry.value):
            place = f"{where}:{entry.line}"
            yield finding("log.not_finite", place, found=entry.value, key=entry.key)


def _contradictions(entries: Entries, where: str) -> Iterator[Finding]:
    """Keys that LoadGen logs once, found with several values."""
    for found in entries.repeated(_SINGLE_VALUED):
        if len({repr(entry.value) for entry in found}) > 1:
            yield finding(
                "log.contradiction",
                f"{where}:{found[-1].line}",
                found=found[-1].value,
                expected=found[0].value,
                key=found[0].key,
                first_line=found[0].line,
            )
