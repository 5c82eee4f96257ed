"""BERT's word pieces, each with the stretch of original text that it stands for.

Pieces are those of the uncased reference tokenizer. Accents and control characters that it drops
belong to no piece, or to the piece around them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from datasets.disk.regular import read_regular
from datasets.errors import DataError

if TYPE_CHECKING:
    from tokenizers import BertWordPieceTokenizer, Encoding

CLS, SEP, UNKNOWN, PADDING = "[CLS]", "[SEP]", "[UNK]", "[PAD]"
PADDING_ID = 0


@dataclass(frozen=True)
class Pieces:
    """Word pieces of one text: piece i is ``ids[i]`` and covers [starts[i], ends[i]) of it."""

    ids: tuple[int, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    letters: int
    """Characters of all pieces as the vocabulary writes them, ``##`` included."""


class Vocabulary:
    """A BERT vocabulary: one piece a line, its id the number of the line from 0."""

    def __init__(self, path: Path) -> None:
        """Read ``path``; DataError where it is no BERT vocabulary."""
        data = _read(path)
        self._ids = _parse(data, path)
        self.sha256 = hashlib.sha256(data).hexdigest()
        """Of the file's bytes."""
        self.cls, self.sep = self._ids[CLS], self._ids[SEP]

    def __len__(self) -> int:
        return len(self._ids)

    @cached_property
    def _tokenizer(self) -> BertWordPieceTokenizer:
        from tokenizers import BertWordPieceTokenizer

        return BertWordPieceTokenizer(vocab=self._ids, lowercase=True)

    def split(self, texts: Sequence[str]) -> list[Pieces]:
        """The pieces of each text."""
        encodings = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [_pieces(encoding) for encoding in encodings]


def _read(path: Path) -> bytes:
    try:
        return read_regular(path)
    except OSError as error:
        raise DataError(f"The vocabulary {path} can't be read: {error.strerror}.") from error


def _parse(data: bytes, path: Path) -> dict[str, int]:
    try:
        lines = data.decode("utf-8").removesuffix("\n").split("\n")
    except UnicodeDecodeError as error:
        raise DataError(f"The vocabulary {path} is not UTF-8 text: {error.reason}.") from error
    ids = {line.removesuffix("\r"): number for number, line in enumerate(lines)}
    if len(ids) != len(lines):
        raise DataError(f"The vocabulary {path} names {len(lines) - len(ids)} pieces twice.")
    missing = [piece for piece in (CLS, SEP, UNKNOWN, PADDING) if piece not in ids]
    if missing:
        raise DataError(f"{path} is no BERT vocabulary, it lacks {', '.join(missing)}.")
    if ids[PADDING] != PADDING_ID:
        raise DataError(f"The vocabulary {path} has {PADDING} on another line than the first.")
    return ids


def _pieces(encoding: Encoding) -> Pieces:
    starts = tuple(start for start, _ in encoding.offsets)
    ends = tuple(end for _, end in encoding.offsets)
    return Pieces(tuple(encoding.ids), starts, ends, sum(map(len, encoding.tokens)))
