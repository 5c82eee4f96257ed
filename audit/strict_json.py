"""JSON that has one meaning: what Python's own reader lets pass is refused.

A member that stands twice hides one of its values; NaN and infinity are no JSON; a number beyond
what can be counted or measured would become infinity, or end in an error far from here.
"""

from __future__ import annotations

import json
import math
from typing import Any

MOST_DIGITS = 20
"""Of a whole number: the seeds of LoadGen have so many."""


def loads(text: str | bytes) -> Any:
    """The document in ``text``. ValueError (or RecursionError) where it has not one meaning."""
    return json.loads(
        text,
        object_pairs_hook=_members,
        parse_constant=_constant,
        parse_float=_fraction,
        parse_int=_whole,
    )


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in pairs:
        if key in members:
            raise ValueError(f"{key!r} stands twice in one object")
        members[key] = value
    return members


def _constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def _fraction(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text[:MOST_DIGITS]} is too large for a number")
    return number


def _whole(text: str) -> int:
    if len(text.lstrip("-")) > MOST_DIGITS:
        raise ValueError(f"{text[:MOST_DIGITS]}… is too large for a number")
    return int(text)
