"""Answers from logits: against the reference's search written out, and cut from the original."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.errors import DataError
from datasets.questions.answers import best_answers
from datasets.questions.features import Features, read_features
from datasets.questions.squad import SquadSet
from datasets.questions.wordpiece import Vocabulary
from tests.datasets.questions.test_features import squad_of

LONG = " ".join(("a", "b", "it", "who")[word % 4] for word in range(900))


def features_of(vocab: Path, squad: SquadSet) -> Features:
    return read_features(squad, Vocabulary(vocab))


def peaks(start: int, end: int, height: float = 10.0, length: int = 384) -> NDArray[np.float32]:
    """Logits [length, 2] that point at tokens ``start`` and ``end``."""
    logits = np.zeros((length, 2), np.float32)
    logits[start, 0] = logits[end, 1] = height
    return logits


def best_twenty(logits: NDArray[np.float64]) -> list[int]:
    """The places of the 20 largest logits, earlier ones first among equals."""
    return sorted(range(len(logits)), key=lambda place: -logits[place])[:20]


def reference_answer(
    features: Features, logits: dict[int, NDArray[np.float32]], question: int
) -> str:
    """The search of the definition, one pair of tokens at a time."""
    best, text = -np.inf, ""
    cut = features.documents[question].cut
    for row in np.flatnonzero(features.question == question).tolist():
        if row not in logits:
            continue
        padded = np.full((384, 2), -10000.0)
        padded[: len(logits[row])] = logits[row]
        starts, ends = (best_twenty(padded[:, column]) for column in (0, 1))
        for start in starts:
            for end in ends:
                if not features.max_context[row, start] or features.text_end[row, end] < 0:
                    continue
                if not start <= end < start + 30:
                    continue
                score = padded[start, 0] + padded[end, 1]
                if score > best:
                    best = score
                    text = cut(features.text_start[row, start], features.text_end[row, end])
    return text


@pytest.mark.parametrize("seed", range(8))
def test_the_search_is_that_of_the_definition(tiny_vocab: Path, seed: int) -> None:
    random = np.random.default_rng(seed)
    squad = squad_of(("who?", LONG), ("who wrote it?", "Annie wrote it. The café."), ("it", LONG))
    features = features_of(tiny_vocab, squad)
    logits = {
        row: random.normal(size=(int(length), 2)).astype(np.float32).round(1)
        for row, length in enumerate(features.length)
        if random.random() < 0.8 or row == 6
    }
    answers = best_answers(features, logits)
    asked = sorted({int(features.question[row]) for row in logits})
    assert answers == {f"q{n}": reference_answer(features, logits, n) for n in asked}


@pytest.mark.parametrize(
    ("context", "first", "last", "answer"),
    [
        ("Annie wrote it.", 0, 1, "Annie"),
        ("Annie wrote it.", 0, 4, "Annie wrote it."),
        ("it  in\tThe Cafe\u0301.", 2, 3, "The Cafe\u0301."),
        ("the Caf\u00e9s.", 1, 1, "Caf\u00e9s."),
        ("a\u00a0b\u202fit", 0, 2, "a\u00a0b\u202fit"),
        ("a 北京.", 1, 2, "北京"),
        ("it 👩\u200d👧.", 1, 1, "👩\u200d👧."),
    ],
)
def test_text_is_cut_from_the_original(
    tiny_vocab: Path, context: str, first: int, last: int, answer: str
) -> None:
    features = features_of(tiny_vocab, squad_of(("who?", context)))
    before = int(features.context_first[0])
    found = best_answers(features, {0: peaks(before + first, before + last)})
    assert found == {"q0": answer}


def test_the_window_with_the_largest_context_decides(tiny_vocab: Path) -> None:
    features = features_of(tiny_vocab, squad_of(("who?", LONG)))
    late = LONG.index("who", 800)
    (word,) = np.flatnonzero(features.text_start[0] == late).tolist()
    (same,) = np.flatnonzero(features.text_start[1] == late).tolist()
    assert not features.max_context[0, word]
    assert features.max_context[1, same]
    weak = best_answers(features, {0: peaks(word, word, 99.0), 1: peaks(same, same, 1.0)})
    assert weak == {"q0": "who"}
    assert best_answers(features, {0: np.where(peaks(word, word) > 0, 9, -np.inf)}) == {"q0": ""}


def test_an_answer_spans_at_most_thirty_tokens(tiny_vocab: Path) -> None:
    features = features_of(tiny_vocab, squad_of(("who?", "a " * 60)))
    lone = np.full((384, 2), -np.inf, np.float32)
    lone[4, 0] = lone[33, 1] = 1.0
    assert best_answers(features, {0: lone}) == {"q0": ("a " * 30).strip()}
    lone[33, 1], lone[34, 1] = -np.inf, 1.0
    assert best_answers(features, {0: lone}) == {"q0": ""}


def test_no_valid_span_is_an_empty_answer(tiny_vocab: Path) -> None:
    features = features_of(tiny_vocab, squad_of(("who?", "a b"), ("who?", "")))
    backwards = np.full((384, 2), -np.inf, np.float32)
    backwards[5, 0] = backwards[4, 1] = 1.0
    assert best_answers(features, {0: backwards}) == {"q0": "", "q1": ""}


def test_questions_that_were_not_measured_have_no_answer(tiny_vocab: Path) -> None:
    features = features_of(tiny_vocab, squad_of(("who?", "a b"), ("who?", "b a")))
    assert best_answers(features, {1: peaks(4, 4)}) == {"q1": "b"}


def test_answers_shorter_than_the_feature_are_padded(tiny_vocab: Path) -> None:
    features = features_of(tiny_vocab, squad_of(("who?", "a b " * 100)))
    assert best_answers(features, {0: peaks(5, 6, length=100)}) == {"q0": "b a"}
    assert best_answers(features, {0: peaks(5, 6).astype(np.float16)}) == {"q0": "b a"}


@pytest.mark.parametrize(
    ("index", "logits", "sentence"),
    [
        (0, np.zeros((385, 2)), r"sample 0 has shape \(385, 2\)"),
        (0, np.zeros((384, 3)), r"sample 0 has shape \(384, 3\)"),
        (0, np.zeros(768), r"sample 0 has shape \(768,\)"),
        (0, peaks(4, 4, np.nan), "sample 0 has logits that are not numbers"),
        (0, peaks(4, 4, np.inf), "sample 0 has logits that are not numbers"),
        (8, peaks(4, 4), "answers for sample 8, but the dataset has samples 0 to 0"),
    ],
)
def test_answers_that_cannot_be_scored_are_named(
    tiny_vocab: Path, index: int, logits: NDArray[np.float64], sentence: str
) -> None:
    features = features_of(tiny_vocab, squad_of(("who?", "a b")))
    with pytest.raises(DataError, match=sentence):
        best_answers(features, {index: logits})
