"""From a file, or from the lines that a plan keeps, to entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from audit.userconf import Entry, understood
from datasets.disk.regular import read_regular
from datasets.errors import UsageError


def read(path: Path) -> tuple[Entry, ...]:
    """All entries of a user.conf; UsageError names the file and every line that is wrong."""
    entries, wrong = understood(_lines(_text(path)))
    if wrong:
        said = "; ".join(f"line {number}: {found}" for number, found in wrong.items())
        raise UsageError(f"{path}: {said}.")
    return entries


def entries_of(texts: Iterable[str]) -> tuple[Entry, ...]:
    """The entries that :attr:`Entry.text` wrote; UsageError for a line that it did not."""
    entries, wrong = understood(enumerate(texts, 1))
    if wrong:
        said = "; ".join(wrong.values())
        raise UsageError(f"The user.conf in the plan can't be read: {said}; measure with --fresh.")
    return entries


def _text(path: Path) -> str:
    try:
        return read_regular(path).decode()
    except FileNotFoundError as error:
        raise UsageError(f"There is no user.conf at {path}; check the path.") from error
    except IsADirectoryError as error:
        raise UsageError(f"{path} is a folder, not a user.conf; name the file itself.") from error
    except OSError as error:
        raise UsageError(f"{path} can't be read as a user.conf: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{path} can't be read as a user.conf: it is no UTF-8 text from byte {error.start} on."
        ) from error


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        content = line.partition("#")[0].strip(" \t\r")
        if content:
            yield number, content
