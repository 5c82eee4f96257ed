"""The lines of LoadGen's detail log, recognised in one pass and decoded only when asked for.

One pattern recognises ordinary lines where they stand. Whatever else bears LoadGen's mark is read
by itself, at once, so that nothing that is wrong waits unseen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter

from audit.logs.log_entry import MARK, ORDINARY, Entry, odd_entry, ordinary_entry


@dataclass(frozen=True)
class Unread:
    """A line with LoadGen's mark that is no entry."""

    line: int
    text: str
    ended: bool
    """False for the last line of a file that ends within it."""


_Line = Entry | re.Match[str]
"""A line with its mark: an entry, or an ordinary line as it was matched."""


class Entries(Mapping[str, tuple[Entry, ...]]):
    """Every entry of a log by its key, in the order of the log; ordinary ones wait undecoded."""

    def __init__(self, keys: Sequence[str], lines: Sequence[_Line], numbers: Sequence[int]) -> None:
        self._keys, self._lines, self._numbers = keys, lines, numbers
        self._last = dict(zip(keys, range(len(keys)), strict=True))
        self._decoded: dict[str, tuple[Entry, ...]] = {}

    def __getitem__(self, key: str) -> tuple[Entry, ...]:
        found = self._decoded.get(key)
        if found is None:
            last = self._last[key]
            places = self._places(key) if key in self._repeated else (last,)
            found = self._decoded[key] = tuple(map(self._entry, places))
        return found

    def __contains__(self, key: object) -> bool:
        return key in self._last

    def __iter__(self) -> Iterator[str]:
        return iter(self._last)

    def __len__(self) -> int:
        return len(self._last)

    def repeated(self, beginnings: tuple[str, ...]) -> Iterator[tuple[Entry, ...]]:
        """The entries of each key that was logged more than once and begins with one of these."""
        for key in self._repeated:
            if key.startswith(beginnings):
                yield self[key]

    @cached_property
    def _repeated(self) -> Mapping[str, int]:
        """The keys that were logged more than once, and how often."""
        if len(self._last) == len(self._keys):
            return {}
        return {key: times for key, times in Counter(self._keys).items() if times > 1}

    def _places(self, key: str) -> Iterator[int]:
        return (place for place, one in enumerate(self._keys) if one == key)

    def _entry(self, place: int) -> Entry:
        line = self._lines[place]
        if isinstance(line, Entry):
            return line
        return ordinary_entry(line, self._numbers[place])


@dataclass(frozen=True)
class Lines:
    """What stands in the text of a log."""

    entries: Entries
    peculiar: tuple[Entry, ...]
    """The entries that are not ordinary, in order: all errors, warnings and odd values."""
    unread: tuple[Unread, ...]


def read_lines(text: str) -> Lines:
    """Every line of ``text`` that bears LoadGen's mark. Nothing in it raises."""
    matches = list(ORDINARY.finditer(text))
    ends = text.count("\n")
    if len(matches) == ends + (not text.endswith("\n")):
        keys = list(map(itemgetter(1), matches))
        return Lines(Entries(keys, matches, range(1, len(matches) + 1)), (), ())
    reader = _Reader()
    if reader.read(text, matches) != ends + 1:
        reader = _Reader()
        reader.read_each(text)
    return reader.lines()


@dataclass
class _Reader:
    """What was read, so far, of a text with lines that are not ordinary."""

    _keys: list[str] = field(default_factory=list)
    _lines: list[_Line] = field(default_factory=list)
    _numbers: list[int] = field(default_factory=list)
    _unread: list[Unread] = field(default_factory=list)

    def lines(self) -> Lines:
        peculiar = tuple(line for line in self._lines if isinstance(line, Entry))
        entries = Entries(self._keys, self._lines, self._numbers)
        return Lines(entries, peculiar, tuple(self._unread))

    def read(self, text: str, matches: Iterable[re.Match[str]]) -> int:
        """All of ``text``, ordinary lines as they were matched; the number of lines, which is too
        small where a match took several for one."""
        number, end = 0, -1
        for match in matches:
            start, stop = match.span()
            if start == end + 1:
                number += 1
            else:
                number = self.read_each(text[end + 1 : start], number)
            self._add(match[1], match, number)
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
        entry = odd_entry(line[start + len(MARK) :].strip(), number)
        if entry is None:
            self._unread.append(Unread(number, line, ended))
        else:
            self._add(entry.key, entry, number)

    def _add(self, key: str, line: _Line, number: int) -> None:
        self._keys.append(key)
        self._lines.append(line)
        self._numbers.append(number)
