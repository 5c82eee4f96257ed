"""Reading single values of the command line, where the plain types let too much pass.

An empty text is never a value: as a path it would mean the current folder, as a name the default,
and it is mostly a variable of a script that was not set.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from pathlib import Path
from typing import Any

import typer


def path(text: str | Path) -> Path:
    """A path that is not empty."""
    return Path(word(str(text)))


def place(text: str | Path) -> Path:
    """A path as the system knows it, so that the current folder has a name too."""
    return path(text).resolve()


def word(text: str) -> str:
    """A text that is not empty."""
    if not text:
        raise typer.BadParameter("it is empty; give it a value or leave it out.")
    return text


def number(least: float, most: float) -> dict[str, Any]:
    """What an option is declared with that takes a number from ``least`` to ``most``."""
    return _number(float, "a number", least, most)


def whole_number(least: int, most: int) -> dict[str, Any]:
    """What an option is declared with that takes a whole number from ``least`` to ``most``."""
    return _number(int, "a whole number", least, most)


def _number(kind: type[float] | type[int], name: str, least: float, most: float) -> dict[str, Any]:
    def parsed(text: Any) -> float:
        found = _read(kind, text)
        if found is None or not least <= found <= most:
            raise typer.BadParameter(f"it takes {name} from {least:,} to {most:,}, not {text!r}.")
        return found

    return {"parser": parsed, "metavar": "<number>"}


def _read(kind: Callable[[Any], float], text: Any) -> float | None:
    """None for what is no number, or none that can be counted with."""
    try:
        found = kind(text)
    except (ValueError, OverflowError):
        return None
    return found if isfinite(found) else None


PATH: dict[str, Any] = {"parser": path, "metavar": "<path>"}
PLACE: dict[str, Any] = {"parser": place}
WORD: dict[str, Any] = {"parser": word, "metavar": "<str>"}
"""What an option or argument is declared with, besides its name and help."""
