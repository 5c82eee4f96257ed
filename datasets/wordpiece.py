"""BERT's word pieces, each with the stretch of original text that it stands for.

Pieces are those of the uncased reference tokenizer. Accents and control characters that it drops
belong to no piece; a combining mark is counted to the piece before it, so that text cut between
pieces never loses an accent.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from datasets.errors import DataError

if TYPE_CHECKING:
    from tokenizers import BertWordPieceTokenizer, Encoding

CLS, SEP, UNKNOWN, PADDING = "[CLS]", "[SEP]", "[UNK]", "[PAD]"
PADDING_ID = 0
DOCUMENT_WORD = re.compile("[^ \t\r\n\u202f]+")
"""What the reference takes for a word of a paragraph, before any word piece
(language/bert/create_squad_data.py, ``is_whitespace``)."""


@dataclass(frozen=True)
class Pieces:
    """Word pieces of one text: piece i is ``ids[i]`` and covers [starts[i], ends[i]) of it."""

    ids: tuple[int, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]


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
        return [_pieces(text, encoding) for text, encoding in zip(texts, encodings, strict=True)]

    def split_documents(self, texts: Iterable[str]) -> list[Pieces]:
        """The pieces of each paragraph, split into its words first as the reference does."""
        documents = [[(m[0], m.start()) for m in DOCUMENT_WORD.finditer(text)] for text in texts]
        words = sorted({word for document in documents for word, _ in document})
        known = dict(zip(words, self.split(words), strict=True))
        return [_join((known[word], start) for word, start in document) for document in documents]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
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


def _pieces(text: str, encoding: Encoding) -> Pieces:
    starts = tuple(start for start, _ in encoding.offsets)
    ends = tuple(_with_marks(text, end) for _, end in encoding.offsets)
    return Pieces(tuple(encoding.ids), starts, ends)


def _with_marks(text: str, end: int) -> int:
    """``end``, moved behind the combining marks that follow there."""
    while end < len(text) and unicodedata.category(text[end]) == "Mn":
        end += 1
    return end


def _join(words: Iterable[tuple[Pieces, int]]) -> Pieces:
    ids: list[int] = []
    starts: list[int] = []
    ends: list[int] = []
    for pieces, offset in words:
        ids.extend(pieces.ids)
        starts.extend(start + offset for start in pieces.starts)
        ends.extend(end + offset for end in pieces.ends)
    return Pieces(tuple(ids), tuple(starts), tuple(ends))
