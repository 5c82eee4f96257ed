"""Where bytes differ, both answers are scored on the sampled part, and both numbers are told."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest

from audit.accuracy.squad import SquadScore
from audit.accuracy.top1 import Top1
from audit.accuracy.truth import LabelTruth, QuestionTruth
from audit.compliance.tolerance import ScoreComparison, compare_scores, score_part, score_value
from datasets.errors import EvidenceError
from datasets.questions.features import read_features
from datasets.questions.squad import read_squad
from datasets.questions.wordpiece import Vocabulary
from tests.audit.compliance.records import floats, one_unit_more, records

LABELS = LabelTruth(tuple(range(0, 24, 3)))
RIGHT = [(index, floats(label)) for index, label in enumerate(LABELS.labels)]
CONTEXT = "The old bridge was built in 1884 by Anna Roth . It is 90 metres long ."
ANSWERS = {"when": "1884", "who": "Anna Roth", "length": "90 metres"}
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "what", "?"]


def of_labels(sampled: list[tuple[int, bytes]], limit_percent: float = 1) -> ScoreComparison:
    return compare_scores(records(sampled), records(RIGHT), LABELS, "float32", limit_percent)


def values(compared: ScoreComparison) -> tuple[float, float]:
    return score_value(compared.test), score_value(compared.accuracy)


def test_one_unit_in_the_last_place_is_the_same_label() -> None:
    compared = of_labels([(index, floats(one_unit_more(3.0 * index))) for index in range(1, 5)])
    assert values(compared) == (100.0, 100.0)
    assert isinstance(compared.test, Top1)
    assert (compared.test.correct, compared.test.total) == (4, 4)
    assert compared.difference_percent == 0
    assert compared.passed


@pytest.mark.parametrize(
    "answer",
    [floats(4), floats(3.5), floats(float("nan")), floats(float("inf")), floats(3, 0), b"\x03"],
    ids=["other label", "between", "NaN", "infinity", "longer", "shorter"],
)
def test_an_answer_that_is_not_the_label_is_wrong(answer: bytes) -> None:
    compared = of_labels([(0, floats(0)), (1, answer), (2, floats(6)), (3, floats(9))])
    assert values(compared) == (75.0, 100.0)
    assert compared.difference_percent == 25.0
    assert not compared.passed


def test_a_wrong_answer_exchanged_for_another_wrong_one_changes_no_score() -> None:
    accuracy = records([(0, floats(7)), *RIGHT[1:]])
    compared = compare_scores(records([(0, floats(8)), *RIGHT[1:]]), accuracy, LABELS, "float32", 1)
    assert values(compared) == (87.5, 87.5)
    assert compared.passed


def test_scores_that_agree_within_the_limit_pass() -> None:
    compared = of_labels([(0, floats(1)), *RIGHT[1:]], limit_percent=12.5)
    assert compared.difference_percent == 12.5
    assert compared.passed
    assert not of_labels([(0, floats(1)), *RIGHT[1:]], limit_percent=12.4).passed


@pytest.mark.parametrize(("label", "apart"), [(2, 0.0), (3, 100.0)])
def test_where_the_accuracy_run_has_nothing_right_no_score_agrees(
    label: float, apart: float
) -> None:
    accuracy = records((index, floats(1)) for index in range(8))
    compared = compare_scores(records([(1, floats(label))]), accuracy, LABELS, "float32", 1)
    assert compared.difference_percent == apart
    assert not compared.passed


@pytest.mark.parametrize(("dtype", "form"), [("int32", "<i"), ("int64", "<q")])
def test_labels_are_read_in_the_type_of_the_accuracy_run(dtype: str, form: str) -> None:
    answers = dict(enumerate(records((k, struct.pack(form, 3 * k)) for k in range(8))))
    score = score_part(LABELS, answers, dtype)
    assert isinstance(score, Top1)
    assert (score.correct, score.total, score.dtype) == (8, 8, dtype)


@pytest.fixture
def questions(tmp_path: Path) -> QuestionTruth:
    entries = [
        {
            "id": name,
            "question": "what ?",
            "answers": [{"text": text, "answer_start": CONTEXT.index(text)}],
        }
        for name, text in ANSWERS.items()
    ]
    paragraphs = [{"context": CONTEXT, "qas": entries}]
    document = {"version": "1.1", "data": [{"title": "t", "paragraphs": paragraphs}]}
    path, vocab = tmp_path / "questions.json", tmp_path / "vocab.txt"
    path.write_text(json.dumps(document), encoding="utf-8")
    vocab.write_text("\n".join([*WORDS, *dict.fromkeys(CONTEXT.lower().split())]) + "\n", "utf-8")
    return QuestionTruth(read_features(read_squad(path), Vocabulary(vocab)))


def logits(truth: QuestionTruth, index: int, start: str, end: str, peak: float = 9.0) -> bytes:
    """Answers the span from word ``start`` to word ``end``."""
    words = CONTEXT.split()
    before_context = 4
    values = np.zeros((int(truth.features.length[index]), 2), "<f4")
    values[before_context + words.index(start), 0] = peak
    values[before_context + words.index(end), 1] = peak
    return values.tobytes()


def test_questions_are_scored_where_they_were_sampled(questions: QuestionTruth) -> None:
    right = [
        (0, logits(questions, 0, "1884", "1884")),
        (1, logits(questions, 1, "Anna", "Roth")),
        (2, logits(questions, 2, "built", "built")),
    ]
    barely_other = (0, logits(questions, 0, "1884", "1884", one_unit_more(9.0)))
    half_other = (1, logits(questions, 1, "Anna", "Anna"))
    same = compare_scores(
        records([barely_other, right[1]]), records(right), questions, "float32", 1
    )
    assert values(same) == (100.0, 100.0)
    assert same.passed
    assert isinstance(same.test, SquadScore)
    assert same.test.total == 2
    other = compare_scores(records([right[0], half_other]), records(right), questions, "float32", 1)
    assert values(other) == pytest.approx((100 * (1 + 2 / 3) / 2, 100.0))
    assert not other.passed


def test_logits_that_are_none_can_not_be_scored(questions: QuestionTruth) -> None:
    right = [(0, logits(questions, 0, "1884", "1884"))]
    with pytest.raises(EvidenceError, match=r"Sample 0 .* 3 bytes"):
        compare_scores(records([(0, b"abc")]), records(right), questions, "float32", 1)


def test_a_truth_that_can_not_be_split_is_refused() -> None:
    with pytest.raises(TypeError, match="str can't score a part"):
        score_part("no truth", {}, "float32")
