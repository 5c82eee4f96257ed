"""Walks the fields of a protobuf message that lies in a file, without reading what they hold.

Models are messages of which nearly all is weights. A walk touches the keys and the lengths of the
fields, so a file of gigabytes costs as little as a small one.
Source of the encoding: https://protobuf.dev/programming-guides/encoding/
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from datasets.errors import ModelError

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_FIXED_SIZES = {_FIXED64: 8, _FIXED32: 4}
_LONGEST_VARINT_BYTES = 10


class Field(NamedTuple):
    """One field of a message: its number, and where in the file its content lies."""

    number: int
    value: int | None
    """Of a varint; None for any other kind."""
    start: int
    end: int


class Message:
    """The message in the bytes ``start`` to ``end`` of a mapped file."""

    def __init__(self, data: mmap.mmap, path: Path, start: int, end: int) -> None:
        self._data = data
        self._path = path
        self._start = start
        self._end = end

    def fields(self) -> Iterator[Field]:
        """All fields, in order. ModelError where they make no sense, or end beyond the message."""
        position = self._start
        while position < self._end:
            field = self._field(position)
            if field.end > self._end:
                raise self._cut(field.end)
            yield field
            position = field.end

    def number(self, number: int) -> int | None:
        """The value of the last varint of that number; None where there is none."""
        found = [field.value for field in self._numbered(number)]
        return found[-1] if found else None

    def texts(self, number: int) -> list[str]:
        """Every field of that number as text."""
        return [
            self._data[field.start : field.end].decode("utf-8", errors="replace")
            for field in self._numbered(number)
        ]

    def text(self, number: int) -> str:
        """The last field of that number as text; empty where there is none."""
        return "".join(self.texts(number)[-1:])

    def messages(self, number: int) -> Iterator[Message]:
        """Every field of that number as a message."""
        for field in self._numbered(number):
            if field.value is not None:
                raise self._corrupt(field.start)
            yield Message(self._data, self._path, field.start, field.end)

    def _numbered(self, number: int) -> Iterator[Field]:
        return (field for field in self.fields() if field.number == number)

    def _field(self, start: int) -> Field:
        tag, position = self._varint(start)
        number, kind = tag >> 3, tag & 7
        if number and kind in _FIXED_SIZES:
            return Field(number, None, position, position + _FIXED_SIZES[kind])
        if not number or kind not in (_VARINT, _BYTES):
            raise self._corrupt(start)
        value, after = self._varint(position)
        if kind == _VARINT:
            return Field(number, value, position, after)
        return Field(number, None, after, after + value)

    def _varint(self, start: int) -> tuple[int, int]:
        value = 0
        for index, byte in enumerate(self._data[start : start + _LONGEST_VARINT_BYTES]):
            value |= (byte & 0x7F) << (7 * index)
            if byte < 0x80:
                return value, start + index + 1
        raise self._corrupt(start)

    def _cut(self, end: int) -> ModelError:
        if self._end < len(self._data):
            return self._corrupt(self._start)
        return ModelError(
            f"{self._path} is cut short or corrupt: its {self._end} bytes end {end - self._end} "
            "bytes before its last field does; fetch it again."
        )

    def _corrupt(self, position: int) -> ModelError:
        return ModelError(
            f"{self._path} is not a model, or is corrupt: its bytes stop making sense as protobuf "
            f"at byte {position}; fetch it again and compare its checksum."
        )


@contextmanager
def message_in(path: Path) -> Iterator[Message]:
    """The message that the whole of a file is; valid inside the ``with`` alone. OSError where the
    file can't be read, ValueError where it is empty."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        yield Message(data, path, 0, len(data))
