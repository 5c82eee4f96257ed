"""One line of LoadGen's detail log: how it is written, and what it says.

An ordinary line is written as LoadGen writes nearly all of them: neither an error nor a warning,
with a value that can only be read in one way.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NamedTuple

from audit import strict_json

MARK = ":::MLLOG"

_HEAD = r'\{"key": "(?P<key>[^"\\]+)", "value": '
_ORDINARY_VALUE = (
    r'(?P<value>"[^"\\\x00-\x1f]*(?:\\["\\/bfnrt][^"\\\x00-\x1f]*)*"|[\[{].*|true|false'
    r"|-?(?:0|[1-9][0-9]{0,29})(?:\.[0-9]{1,30})?(?:[eE][-+]?[0-9]{1,2})?)"
)
_TIME = r', "time_ms": [-+.0-9eE]+, "namespace": "[^"]*", "event_type": "[^"]*", "metadata": \{'
_PLACE = r', "file": "[^"]*", "line_no": [0-9]+, "pid": [0-9]+, "tid": [0-9]+'
ORDINARY = re.compile(
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
_WORDS = {
    "true": True,
    "false": False,
    "nan": math.nan,
    "-nan": math.nan,
    "inf": math.inf,
    "-inf": -math.inf,
}


class Entry(NamedTuple):
    """One line that LoadGen logged."""

    key: str
    value: Any
    """A number, a truth value or a text; a list or an object as its JSON text."""
    line: int
    is_error: bool
    is_warning: bool


def ordinary_entry(match: re.Match[str], line: int) -> Entry:
    """The entry of a line that :data:`ORDINARY` matched."""
    return Entry(match[1], _ordinary_value(match[2]), line, False, False)


def odd_entry(body: str, line: int) -> Entry | None:
    """The entry in the text behind the mark of a line; None where there is none."""
    match = _LINE.fullmatch(body)
    if match is None:
        return _unusual_entry(body, line)
    try:
        value = _value(match["value"])
    except ValueError:
        return None
    flags = match["is_error"] == "true", match["is_warning"] == "true"
    return Entry(match["key"], value, line, *flags)


def _ordinary_value(text: str) -> Any:
    """The value that the text of an ordinary line stands for."""
    return int(text) if text.isdigit() else _value(text)


def _value(text: str) -> Any:
    """The value that ``text`` stands for. ValueError where it stands for none."""
    if text in _WORDS:
        return _WORDS[text]
    if text.startswith(("[", "{")):
        return text
    return json.loads(text)


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
