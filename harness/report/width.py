"""Tables as wide as the terminal: no line of a table is broken by it, and nothing is left out.

Columns of words are broken first. What still finds no room beside the rest follows as a table of
its own, under the same key columns. Numbers are never broken. Where there is no terminal and
COLUMNS says nothing, as in a pipe or a file, a table has the width that it needs.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator, Sequence

from tabulate import tabulate

from harness.report.breaking import broken

_NARROWEST = 8
"""Characters that a broken column keeps."""
_GAP = 2

Row = Sequence[object]


def fitted(
    rows: Sequence[Row],
    headings: Sequence[str],
    words: Collection[int] = (),
    *,
    keys: int = 1,
    indent: int = 0,
) -> str:
    """A plain table, or several with an empty line between them; no trailing newline.

    ``words`` are the numbers of the columns that may be broken. The first ``keys`` columns say what
    a row is about. ``indent`` is what the caller puts before each line.
    """
    columns = [[heading, *map(str, cells)] for heading, *cells in zip(headings, *rows, strict=True)]
    room = terminal_columns()
    if room is None:
        return _table(columns, [_widest(column) for column in columns])
    tables = []
    for part in _parts(columns, words, keys, room - indent):
        own = [place for place, column in enumerate(part) if column in words]
        chosen = [columns[column] for column in part]
        tables.append(_table(chosen, _widths(chosen, own, room - indent)))
    return "\n\n".join(tables)


def terminal_columns() -> int | None:
    """The width of the terminal; None where there is none and COLUMNS says nothing."""
    return shutil.get_terminal_size((0, 0)).columns or None


def _parts(
    columns: Sequence[Sequence[str]], words: Collection[int], keys: int, room: int
) -> Iterator[list[int]]:
    """The numbers of the columns that find room beside each other, the keys among them each time;
    at least one more than those."""
    least = [
        min(_widest(column), _NARROWEST) if number in words else _widest(column)
        for number, column in enumerate(columns)
    ]
    part = list(range(keys))
    for number in range(keys, len(columns)):
        taken = sum(least[column] + _GAP for column in part)
        if len(part) > keys and taken + least[number] > room:
            yield part
            part = list(range(keys))
        part = [*part, number]
    yield part


def _table(columns: Sequence[Sequence[str]], widths: list[int]) -> str:
    headings, *rows = zip(*map(_fitted_column, columns, widths), strict=True)
    rule = ["-" * width for width in widths]
    return tabulate([headings, rule, *rows], tablefmt="plain", disable_numparse=True)


def _fitted_column(cells: Sequence[str], width: int) -> list[str]:
    return [cell if _widest([cell]) <= width else broken(cell, width) for cell in cells]


def _widths(columns: Sequence[Sequence[str]], words: Collection[int], room: int) -> list[int]:
    """Characters of each column; those of words share what the others leave."""
    widest = list(map(_widest, columns))
    room -= _GAP * (len(widest) - 1)
    room -= sum(width for column, width in enumerate(widest) if column not in words)
    shares, waiting = {}, sorted(words, key=lambda column: widest[column])
    while waiting:
        column = waiting.pop(0)
        shares[column] = min(widest[column], max(_NARROWEST, room // (len(waiting) + 1)))
        room -= shares[column]
    return [shares.get(column, width) for column, width in enumerate(widest)]


def _widest(cells: Sequence[str]) -> int:
    return max(len(line) for cell in cells for line in cell.split("\n"))
