"""Label maps: which class an image has, by its file name and never by its position.

One image a line: the name, then white space or a comma, then a class from 0 to 999. Names may
hold spaces and commas, because the class is what stands after the last separator. Line ends of any
system, a byte-order mark and blank lines are no fault; everything else that isn't a name and a
class is refused with its line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from datasets.errors import DataError
from datasets.images.synsets import CLASSES, WNID

_ROW = re.compile(r"(?P<name>.*\S)(?:\s*,\s*|\s+)(?P<label>[^\s,]+)")


@dataclass(frozen=True)
class LabelRow:
    """One row of a label map. ``name`` is relative to the images' folder, without ``val/``."""

    name: str
    label: int
    line: int
    """Counted from 1."""


def parse_labels(text: str, where: str) -> tuple[LabelRow, ...]:
    """The rows of the label map ``text``, in its order; DataError names the first bad line.

    ``where`` stands in messages for the place that the text is from.
    """
    lines = enumerate(text.split("\n"), start=1)
    rows = tuple(_row(line.strip(), number, where) for number, line in lines if line.strip())
    if not rows:
        raise DataError(f"The label map {where} has no rows: one 'name label' a line is needed.")
    _refuse_repeated_names(rows, where)
    return rows


def _row(line: str, number: int, where: str) -> LabelRow:
    match = _ROW.fullmatch(line)
    if match is None:
        raise _bad_line(where, number, line, "needs an image name and a label")
    name = match["name"].rstrip(" \t,")
    if name.startswith("/") or ".." in name.split("/"):
        raise _bad_line(where, number, line, "names a file outside the images' folder")
    label = _label(match["label"], number, line, where)
    return LabelRow(name.removeprefix("val/"), label, number)


def _label(text: str, number: int, line: str, where: str) -> int:
    if WNID.fullmatch(text):
        raise _bad_line(
            where, number, line, f"gives a WordNet id; classes are numbers from 0 to {CLASSES - 1}"
        )
    if not re.fullmatch(r"-?[0-9]{1,9}", text):
        raise _bad_line(where, number, line, "ends in no class number (is it a header?)")
    label = int(text)
    if not 0 <= label < CLASSES:
        raise _bad_line(where, number, line, f"has class {label}, outside 0 to {CLASSES - 1}")
    return label


def _bad_line(where: str, number: int, line: str, problem: str) -> DataError:
    return DataError(f"{where}, line {number} {problem}: {line[:80]!r}.")


def _refuse_repeated_names(rows: tuple[LabelRow, ...], where: str) -> None:
    first: dict[str, int] = {}
    for row in rows:
        earlier = first.setdefault(row.name, row.line)
        if earlier != row.line:
            raise DataError(
                f"{where}, line {row.line} names {row.name!r}, which line {earlier} named already: "
                "keep one of them."
            )
