"""Reading single values of the command line, where the plain types let too much pass.

An empty text is never a value: as a path it would mean the current folder, as a name the default,
and it is mostly a variable of a script that was not set.
"""

from __future__ import annotations

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


PATH: dict[str, Any] = {"parser": path, "metavar": "PATH"}
PLACE: dict[str, Any] = {"parser": place}
WORD: dict[str, Any] = {"parser": word, "metavar": "TEXT"}
"""What an option or argument is declared with, besides its name and help."""
