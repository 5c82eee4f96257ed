"""The lines of LoadGen's detail log, recognised in one pass and decoded only when asked for.

Nearly every line of a log is ordinary: as LoadGen writes them, neither an error nor a warning, with
a value that can only be read in one way. One pattern recognises those where they stand. Whatever
else bears LoadGen's mark is read by itself, at once, so that nothing that is wrong waits unseen.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from audit import strict_json

MARK = ":::MLLOG"

_HEAD = r'\{"key": "(?P<key>[^"\\]+)", "value": '
_ORDINARY_VALUE = (
    r'(?P<value>"[^"\\\x00-\x1f]*(?:\\["\\/bfnrt][^"\\\x00-\x1f]*)*"|[\[{].*|true|false'
    r"|-?(?:0|[1-9][0-9]{0,29})(?:\.[0-9]{1,30})?(?:[eE][-+]?[0-9]{1,2})?)"
)
_TIME = r', "time_ms": [-+.\deE]+, "namespace": "[^"]*", "event_type": "[^"]*", "metadata": \{'
_PLACE = r', "file": "[^"]*", "line_no": [0-9]+, "pid": [0-9]+, "tid": [0-9]+'
_ORDINARY = re.compile(
    rf"^{MARK} {_HEAD}{_ORDINARY_VALUE}{_TIME}"
    rf'"is_error": false, "is_warning": false{_PLACE}\}}\}}[^\S\n]*$',
    re.MULTILINE,
)
"""May match more than one line, where a text in a cut line lacks its end: see read_lines."""
_LINE = re.compile(
    rf"{_HEAD}(?P<value>.*){_TIME}"
    r'"is_error": (?P<is_error>true|false), "is_warning": (?P<is_warning>true|false)'
    rf"(?:{_PLACE}|[^{{}}]*)\}}\}}"
)
_NOT_JSON = {
    "nan": math.nan,
    "-nan": math.nan,
    "inf": math.inf,
    "-inf": -math.inf,
}


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
class Unread:
    """A line with LoadGen's mark that is no entry."""

    line: int
    text: str
    ended: bool
    """False for the last line of a file that ends within it."""


_Found = Entry | tuple[int, re.Match[str]]
"""An entry, or the number of an ordinary line with its match."""


@dataclass(frozen=True)
class Entries(Mapping[str, tuple[Entry, ...]]):
    """Every entry of a log by its key, in the order of the log; ordinary ones wait undecoded."""

    _found: Mapping[str, list[_Found]]
    _decoded: dict[str, tuple[Entry, ...]] = field(default_factory=dict)

    def __getitem__(self, key: str) -> tuple[Entry, ...]:
        if key not in self._decoded:
            self._decoded[key] = tuple(map(_entry, self._found[key]))
        return self._decoded[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def repeated(self, beginnings: tuple[str, ...]) -> Iterator[tuple[Entry, ...]]:
        """The entries of each key that was logged more than once and begins with one of these."""
        for key, found in self._found.items():
            if len(found) > 1 and key.startswith(beginnings):
                yield self[key]


@dataclass(frozen=True)
class Lines:
    """What stands in the text of a log."""

    entries: Entries
    peculiar: tuple[Entry, ...]
    """The entries that are not ordinary, in order: all errors, warnings and odd values."""
    unread: tuple[Unread, ...]


def read_lines(text: str) -> Lines:
    """Every line of ``text`` that bears LoadGen's mark. Nothing in it raises."""
    reader = _Reader()
    if reader.read(text) != text.count("\n") + 1:
        reader = _Reader()
        reader.read_each(text)
    return Lines(Entries(reader.found), tuple(reader.peculiar), tuple(reader.unread))


@dataclass
class _Reader:
    """What was read of a text so far."""

    found: dict[str, list[_Found]] = field(default_factory=dict)
    peculiar: list[Entry] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)

    def read(self, text: str) -> int:
        """All of ``text``, ordinary lines by one pattern; the number of lines, which is too small
        where it took several for one."""
        found, number, end = self.found, 0, -1
        for match in _ORDINARY.finditer(text):
            start, stop = match.span()
            if start == end + 1:
                number += 1
            else:
                number = self.read_each(text[end + 1 : start], number)
            key = match[1]
            if key in found:
                found[key].append((number, match))
            else:
                found[key] = [(number, match)]
            end = stop
        return self.read_each(text[end + 1 :], number) if end < len(text) else number

    def read_each(self, text: str, before: int = 0) -> int:
        """The lines of ``text``, one by one, the first behind line ``before`` and the last without
        an end; the number of that."""
        lines = text.split("\n")
        last = before + len(lines)
        for number, line in enumerate(lines, before + 1):
            self._read_one(line, number, ended=number < last)
        return last

    def _read_one(self, line: str, number: int, ended: bool) -> None:
        start = line.find(MARK)
        if start < 0:
            return
        entry = _odd_entry(line[start + len(MARK) :].strip(), number)
        if entry is None:
            self.unread.append(Unread(number, line, ended))
        else:
            self.peculiar.append(entry)
            self.found.setdefault(entry.key, []).append(entry)


def _entry(found: _Found) -> Entry:
    if isinstance(found, Entry):
        return found
    line, match = found
    return Entry(match["key"], _value(match["value"]), line, is_error=False, is_warning=False)


def _odd_entry(body: str, line: int) -> Entry | None:
    match = _LINE.fullmatch(body)
    if match is None:
        return _unusual_entry(body, line)
    try:
        value = _value(match["value"])
    except ValueError:
        return None
    flags = match["is_error"] == "true", match["is_warning"] == "true"
    return Entry(match["key"], value, line, *flags)


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
