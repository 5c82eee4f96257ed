"""From BERT's logits to the text that answers each question.

As in the reference (language/bert/accuracy-squad.py, ``write_predictions``): of the 20 best starts
and the 20 best ends of each window, the pair with the largest sum of logits that lies in the
paragraph, begins where its token has the largest context, and spans at most 30 tokens. The text is
cut from the original paragraph (:meth:`datasets.questions.documents.Document.cut`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.errors import DataError
from datasets.questions.features import MAX_SEQ_LENGTH, Features

BEST = 20
MAX_ANSWER_TOKENS = 30
ABSENT_LOGIT = -10000.0
"""What a position behind a shorter logged answer counts as."""

_BLOCK = 512


@dataclass(frozen=True)
class _Span:
    feature: int
    start: int
    end: int
    score: float


def best_answers(features: Features, logits: Mapping[int, NDArray[Any]]) -> dict[str, str]:
    """The answer to each question, by its id, in the order of the file.

    ``logits[i]`` [length, 2], start and end logits of feature i; length is at most 384. A question
    none of whose features is in ``logits`` gets no entry; one without a valid span, or whose
    paragraph has no word, gets ``""``. DataError, naming the sample, for logits of another shape,
    NaN, positive infinity, or an index that no feature has.
    """
    chosen: dict[int, _Span | None] = dict.fromkeys(_wordless_questions(features))
    for span in _best_spans(features, logits):
        question = int(features.question[span.feature])
        so_far = chosen.setdefault(question, None)
        if np.isfinite(span.score) and (so_far is None or span.score > so_far.score):
            chosen[question] = span
    questions = features.squad.questions
    return {questions[place].id: _text(features, chosen[place]) for place in sorted(chosen)}


def _wordless_questions(features: Features) -> list[int]:
    asked = np.bincount(features.question, minlength=len(features.squad.questions))
    return [int(place) for place in np.flatnonzero(asked == 0)]


def _text(features: Features, span: _Span | None) -> str:
    if span is None:
        return ""
    document = features.documents[int(features.question[span.feature])]
    return document.cut(
        int(features.text_start[span.feature, span.start]),
        int(features.text_end[span.feature, span.end]),
    )


def _best_spans(features: Features, logits: Mapping[int, NDArray[Any]]) -> Iterator[_Span]:
    """The best span of each logged feature, with score −∞ where none is valid."""
    indices = sorted(logits)
    _require_known(indices, len(features))
    for first in range(0, len(indices), _BLOCK):
        block = indices[first : first + _BLOCK]
        padded = np.stack([_padded(logits[index], index) for index in block])
        yield from _spans_of_block(features, np.array(block), padded)


def _require_known(indices: list[int], count: int) -> None:
    unknown = [index for index in indices if not 0 <= index < count]
    if unknown:
        raise DataError(
            f"There are answers for sample {unknown[0]}, but the dataset has samples 0 to "
            f"{count - 1}: was another dataset measured?"
        )


def _padded(logits: NDArray[Any], index: int) -> NDArray[np.float64]:
    """``logits`` as [384, 2]."""
    if logits.ndim != 2 or logits.shape[1] != 2 or len(logits) > MAX_SEQ_LENGTH:
        raise DataError(
            f"The answer of sample {index} has shape {logits.shape}: start and end logits of at "
            f"most {MAX_SEQ_LENGTH} tokens are needed, [length, 2]."
        )
    if np.isnan(logits).any() or np.isposinf(logits).any():
        raise DataError(f"The answer of sample {index} has logits that are not numbers.")
    padded = np.full((MAX_SEQ_LENGTH, 2), ABSENT_LOGIT)
    padded[: len(logits)] = logits
    return padded


def _spans_of_block(
    features: Features, rows: NDArray[np.int64], logits: NDArray[np.float64]
) -> Iterator[_Span]:
    """``rows`` [B] are the features of ``logits`` [B, 384, 2]."""
    best = np.argsort(-logits, axis=1, kind="stable")[:, :BEST]
    top = np.take_along_axis(logits, best, axis=1)
    starts, ends = best[:, :, np.newaxis, 0], best[:, np.newaxis, :, 1]
    scores = top[:, :, np.newaxis, 0] + top[:, np.newaxis, :, 1]
    scores[~_valid(features, rows, starts, ends)] = -np.inf
    flat = scores.reshape(len(rows), -1)
    for place, pair in enumerate(flat.argmax(axis=1)):
        start, end = divmod(int(pair), BEST)
        yield _Span(
            int(rows[place]),
            int(best[place, start, 0]),
            int(best[place, end, 1]),
            float(flat[place, pair]),
        )


def _valid(
    features: Features,
    rows: NDArray[np.int64],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """[B, 20, 20] whether a pair of ``starts`` [B, 20, 1] and ``ends`` [B, 1, 20] may answer."""
    of_row = rows[:, np.newaxis, np.newaxis]
    may_start = features.max_context[of_row, starts]
    may_end = features.text_end[of_row, ends] >= 0
    span = ends - starts
    valid: NDArray[np.bool_] = may_start & may_end & (span >= 0) & (span < MAX_ANSWER_TOKENS)
    return valid
