"""Tables as wide as the terminal: where they would be wider, the columns of words are broken.

Numbers are never broken. Where there is no terminal and COLUMNS says nothing, a table is as wide as
a wide terminal.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Sequence

from tabulate import tabulate

_WITHOUT_TERMINAL = (120, 24)
_NARROWEST = 8
"""Characters that a broken column keeps."""
_GAP = 2


def fitted(rows: Sequence[Sequence[str]], headings: Sequence[str], words: Collection[int]) -> str:
    """A plain table; ``words`` are the numbers of the columns that may be broken."""
    widths = _widths(rows, headings, words)
    rule = ["-" * width for width in widths]
    return tabulate(
        [headings, rule, *rows], tablefmt="plain", disable_numparse=True, maxcolwidths=widths
    )


def _widths(
    rows: Sequence[Sequence[str]], headings: Sequence[str], words: Collection[int]
) -> list[int]:
    """Characters of each column."""
    widest = [max(map(_width, column)) for column in zip(headings, *rows, strict=True)]
    room = shutil.get_terminal_size(_WITHOUT_TERMINAL).columns - _GAP * (len(widest) - 1)
    room -= sum(width for column, width in enumerate(widest) if column not in words)
    shares, waiting = {}, sorted(words, key=lambda column: widest[column])
    while waiting:
        column = waiting.pop(0)
        shares[column] = max(_NARROWEST, min(widest[column], room // (len(waiting) + 1)))
        room -= shares[column]
    return [shares.get(column, width) for column, width in enumerate(widest)]


def _width(cell: str) -> int:
    return max(map(len, cell.split("\n")))
