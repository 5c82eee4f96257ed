"""Sentences below a table: on a terminal no word of them is broken, no number parted from its unit,
and lists stay lists.

Commands and paths are made for copying and stay whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from textwrap import wrap

from harness.report.width import terminal_columns

_FOR_COPYING = re.compile(r"\s*(loadproof |\w+: /)")
"""How a line begins that is a command, or names a place."""
_BEFORE_A_UNIT = re.compile(r"(?<=\d) (?=%|(?:[mµn]?s|min|h|[KMGT]i?B)\b)")
_NO_BREAK = "\N{NO-BREAK SPACE}"
_HANGING = 2


def sentences(lines: Iterable[str]) -> str:
    """``lines`` as one text, each in several where the terminal is narrower."""
    room = terminal_columns()
    return "\n".join(lines if room is None else (_folded(line, room) for line in lines))


def _folded(line: str, room: int) -> str:
    """What goes on below begins where the text of an indented or listed line does."""
    if len(line) <= room or _FOR_COPYING.match(line):
        return line
    hanging = " " * max(_HANGING, len(line) - len(line.lstrip(" -")))
    kept = _BEFORE_A_UNIT.sub(_NO_BREAK, line)
    folded = wrap(
        kept, room, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(folded).replace(_NO_BREAK, " ")
