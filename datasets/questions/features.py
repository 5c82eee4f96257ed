"""BERT's input features from SQuAD questions, token for token those of the MLPerf reference.

A feature is ``[CLS] question [SEP] window of the paragraph [SEP]``, padded to 384 tokens; the
question keeps 64 pieces at most, and a long paragraph has several windows. The official file and
vocabulary give 10,833 features. Each paragraph token keeps its place in the original text, so that
answers can be cut from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from datasets.errors import DataError
from datasets.questions.documents import Document, read_documents
from datasets.questions.squad import SquadSet
from datasets.questions.windows import DOC_STRIDE, Window, best_window, windows
from datasets.questions.wordpiece import Vocabulary

MAX_SEQ_LENGTH = 384
MAX_QUERY_LENGTH = 64
SPECIAL_TOKENS = 3
DEFINITION = (
    f"bert uncased seq={MAX_SEQ_LENGTH} query={MAX_QUERY_LENGTH} stride={DOC_STRIDE} "
    "words=reference"
)
"""What the tokens depend on, besides the file, the vocabulary and the tokenizer's version."""


@dataclass(frozen=True)
class Features:
    """N features in the reference's order: row i is sample i of a run."""

    squad: SquadSet
    documents: tuple[Document, ...]
    """The paragraph of each question, in the order of ``squad.questions``."""
    question: NDArray[np.int32]
    """[N] the feature's question, as its place in ``squad.questions``."""
    input_ids: NDArray[np.int32]
    """[N, 384], zero after ``length`` tokens."""
    length: NDArray[np.int64]
    """[N] tokens that are not padding."""
    context_first: NDArray[np.int32]
    """[N] the first token of the paragraph's window, which ends before the last real token."""
    text_start: NDArray[np.int32]
    """[N, 384] where the token begins in the paragraph, in code points; −1 outside the window."""
    text_end: NDArray[np.int32]
    """[N, 384] behind the token's last code point; −1 outside the window."""
    max_context: NDArray[np.bool_]
    """[N, 384] whether this is the window in which the token has the largest context."""

    def __len__(self) -> int:
        return len(self.length)

    @property
    def input_mask(self) -> NDArray[np.bool_]:
        """[N, 384] true for real tokens."""
        mask: NDArray[np.bool_] = np.arange(MAX_SEQ_LENGTH) < self.length[:, np.newaxis]
        return mask

    @property
    def segment_ids(self) -> NDArray[np.bool_]:
        """[N, 384] true for the paragraph's tokens and the separator behind them."""
        behind = np.arange(MAX_SEQ_LENGTH) >= self.context_first[:, np.newaxis]
        segment: NDArray[np.bool_] = behind & self.input_mask
        return segment


@dataclass(frozen=True)
class _Plan:
    """One feature before its arrays are filled."""

    question: int
    query: tuple[int, ...]
    document: Document
    window: Window
    max_context: NDArray[np.bool_]

    @property
    def context_first(self) -> int:
        return len(self.query) + 2


def read_features(squad: SquadSet, vocabulary: Vocabulary) -> Features:
    """The features of every question; a paragraph without words gives its questions none."""
    documents = _documents(squad, vocabulary)
    plans = list(_plans(squad, documents, vocabulary))
    if not plans:
        raise DataError(f"No paragraph of {squad.name} has a word, so that there is no feature.")
    features = _empty_features(squad, documents, len(plans))
    for row, plan in enumerate(plans):
        _fill_row(features, row, plan, vocabulary)
    return features


def _documents(squad: SquadSet, vocabulary: Vocabulary) -> tuple[Document, ...]:
    texts = list(dict.fromkeys(question.context for question in squad.questions))
    known = dict(zip(texts, read_documents(texts, vocabulary), strict=True))
    return tuple(known[question.context] for question in squad.questions)


def _plans(
    squad: SquadSet, documents: Sequence[Document], vocabulary: Vocabulary
) -> Iterator[_Plan]:
    queries = vocabulary.split([question.text for question in squad.questions])
    for question, (query, document) in enumerate(zip(queries, documents, strict=True)):
        ids = query.ids[:MAX_QUERY_LENGTH]
        spans = windows(len(document.ids), MAX_SEQ_LENGTH - SPECIAL_TOKENS - len(ids))
        best = best_window(spans) if spans else np.empty(0, np.int64)
        for place, span in enumerate(spans):
            yield _Plan(question, ids, document, span, best[span.start : span.end] == place)


def _empty_features(squad: SquadSet, documents: tuple[Document, ...], count: int) -> Features:
    shape = (count, MAX_SEQ_LENGTH)
    return Features(
        squad=squad,
        documents=documents,
        question=np.zeros(count, np.int32),
        input_ids=np.zeros(shape, np.int32),
        length=np.zeros(count, np.int64),
        context_first=np.zeros(count, np.int32),
        text_start=np.full(shape, -1, np.int32),
        text_end=np.full(shape, -1, np.int32),
        max_context=np.zeros(shape, np.bool_),
    )


def _fill_row(features: Features, row: int, plan: _Plan, vocabulary: Vocabulary) -> None:
    covered = slice(plan.window.start, plan.window.end)
    ids = plan.document.ids[covered]
    tokens = (vocabulary.cls, *plan.query, vocabulary.sep, *ids, vocabulary.sep)
    window = slice(plan.context_first, plan.context_first + len(ids))
    features.question[row] = plan.question
    features.input_ids[row, : len(tokens)] = tokens
    features.length[row] = len(tokens)
    features.context_first[row] = plan.context_first
    features.text_start[row, window] = plan.document.starts[covered]
    features.text_end[row, window] = plan.document.ends[covered]
    features.max_context[row, window] = plan.max_context
