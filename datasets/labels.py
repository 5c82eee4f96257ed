"""Label maps: which class an image has, by its file name and never by its position.

One image a line: the name, then white space or a comma, then a class from 0 to 999. Names may
hold spaces and commas, because the class is what stands after the last separator. Line ends of any
system, a byte-order mark and blank lines are no fault; everything else that isn't a name and a
class is refused with its line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from datasets.errors import DataError

CLASSES = 1000
_ROW = re.compile(r"(?P<name>.*\S)(?:\s*,\s*|\s+)(?P<label>[^\s,]+)")
_WNID = re.compile(r"n[0-9]{8}")


@dataclass(frozen=True)
class LabelRow:
    """One row of a label map. ``name`` is relative to the images' folder, without ``val/``."""

    name: str
    label: int
    line: int
    """Counted from 1."""


def read_labels(path: Path) -> tuple[LabelRow, ...]:
    """The rows of the label map at ``path``, in its order; DataError names the first bad line."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise DataError(f"The label map {path} can't be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise DataError(f"The label map {path} is not UTF-8 text: {error.reason}.") from error
    lines = enumerate(text.split("\n"), start=1)
    rows = tuple(_row(line.strip(), number, path) for number, line in lines if line.strip())
    if not rows:
        raise DataError(f"The label map {path} has no rows: one 'name label' a line is needed.")
    _refuse_repeated_names(rows, path)
    return rows


def _row(line: str, number: int, path: Path) -> LabelRow:
    match = _ROW.fullmatch(line)
    if match is None:
        raise _bad_line(path, number, line, "needs an image name and a label")
    name = match["name"].rstrip(" \t,")
    if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
        raise _bad_line(path, number, line, "names a file outside the images' folder")
    return LabelRow(name.removeprefix("val/"), _label(match["label"], number, line, path), number)


def _label(text: str, number: int, line: str, path: Path) -> int:
    if _WNID.fullmatch(text):
        raise _bad_line(
            path, number, line, f"gives a WordNet id; classes are numbers from 0 to {CLASSES - 1}"
        )
    if not re.fullmatch(r"-?[0-9]{1,9}", text):
        raise _bad_line(path, number, line, "ends in no class number (is it a header?)")
    label = int(text)
    if not 0 <= label < CLASSES:
        raise _bad_line(path, number, line, f"has class {label}, outside 0 to {CLASSES - 1}")
    return label


def _bad_line(path: Path, number: int, line: str, problem: str) -> DataError:
    return DataError(f"{path}, line {number} {problem}: {line[:80]!r}.")


def _refuse_repeated_names(rows: tuple[LabelRow, ...], path: Path) -> None:
    first: dict[str, int] = {}
    for row in rows:
        earlier = first.setdefault(row.name, row.line)
        if earlier != row.line:
            raise DataError(
                f"{path}, line {row.line} names {row.name!r}, which line {earlier} named already: "
                "keep one of them."
            )
