"""Paragraphs as BERT's reference reads them: words first, then the word pieces of each word.

A document remembers where its words and pieces stand in the original text, so that an answer can
be cut from there exactly as far as the reference would (language/bert/create_squad_data.py,
``read_squad_examples``; language/bert/accuracy-squad.py, ``get_final_text``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from datasets.questions.wordpiece import Pieces, Vocabulary

_WORD = re.compile("[^ \t\r\n\u202f]+")
"""What the reference takes for a word. It knows the narrow no-break space, not the ordinary one."""


@dataclass(frozen=True)
class Document:
    """One paragraph. Offsets count code points of ``text``."""

    text: str
    ids: NDArray[np.int32]
    """[P] its word pieces."""
    starts: NDArray[np.int32]
    """[P] where each piece begins in the text."""
    ends: NDArray[np.int32]
    """[P] behind the last character of each piece."""
    word_starts: NDArray[np.int32]
    """[W]"""
    word_ends: NDArray[np.int32]
    """[W]"""
    surplus: NDArray[np.int32]
    """[W] characters that the word's pieces have more than the word, ``##`` included."""

    def cut(self, start: int, end: int) -> str:
        """The text from the piece that begins at ``start`` to the one that ends at ``end``.

        Where the pieces of the words around it don't match them character by character, because a
        word was split or an accent dropped, the whole words are the answer, as in the reference.
        """
        first, last = np.searchsorted(self.word_starts, [start, end - 1], side="right") - 1
        if self.surplus[first : last + 1].sum() != 0:
            start, end = int(self.word_starts[first]), int(self.word_ends[last])
        return self.text[start:end]


def read_documents(texts: Sequence[str], vocabulary: Vocabulary) -> list[Document]:
    """The documents of ``texts``; each different word is split into pieces once."""
    spans = [[match.span() for match in _WORD.finditer(text)] for text in texts]
    words = {text[a:b] for text, found in zip(texts, spans, strict=True) for a, b in found}
    order = sorted(words)
    known = dict(zip(order, vocabulary.split(order), strict=True))
    return [_document(text, found, known) for text, found in zip(texts, spans, strict=True)]


def _document(text: str, spans: list[tuple[int, int]], known: dict[str, Pieces]) -> Document:
    words = [(start, end, known[text[start:end]]) for start, end in spans]
    return Document(
        text=text,
        ids=_array([piece for _, _, word in words for piece in word.ids]),
        starts=_array([start + offset for start, _, word in words for offset in word.starts]),
        ends=_array([start + offset for start, _, word in words for offset in word.ends]),
        word_starts=_array([start for start, _, _ in words]),
        word_ends=_array([end for _, end, _ in words]),
        surplus=_array([word.letters - (end - start) for start, end, word in words]),
    )


def _array(values: list[int]) -> NDArray[np.int32]:
    return np.array(values, np.int32)
