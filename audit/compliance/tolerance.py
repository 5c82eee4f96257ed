"""Where sampled answers differ in bytes: whether they are as right as the accuracy run's.

The accuracy metric is scored on the sampled part of the dataset, once with each log's answers. A
sample that was logged several times counts with an answer that differs, so that no difference
hides behind a repeat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch

import numpy as np

from audit.accuracy.spans import decode_spans
from audit.accuracy.squad import SquadScore, score_squad
from audit.accuracy.top1 import Top1
from audit.accuracy.truth import LabelTruth, QuestionTruth, Truth
from audit.compliance.answers import first_answers, worst_answers
from audit.compliance.apart import agree, apart_percent
from audit.logs.accuracy_log import AccuracyRecord

_WHOLE = 1e-3
"""The reference cuts a logged label to a whole number; one that is so close to it is meant."""

PartScore = Top1 | SquadScore


@dataclass(frozen=True)
class ScoreComparison:
    """Scores on the sampled part of the dataset."""

    accuracy: PartScore
    """Of the accuracy run's answers."""
    test: PartScore
    limit_percent: float

    @property
    def difference_percent(self) -> float:
        """How far the test's score lies from the accuracy run's, in percent of the latter."""
        return apart_percent(score_value(self.accuracy), score_value(self.test))

    @property
    def passed(self) -> bool:
        """Whether they agree. Where the accuracy run has nothing right, no score shows that."""
        return agree(score_value(self.accuracy), score_value(self.test), self.limit_percent)


def compare_scores(
    sampled: Sequence[AccuracyRecord],
    accuracy: Sequence[AccuracyRecord],
    truth: Truth,
    dtype: str,
    limit_percent: float,
) -> ScoreComparison:
    """Score both; every sampled sample is in ``accuracy``, whose answers are of type ``dtype``.

    EvidenceError where a sampled answer is none at all.
    """
    first = first_answers(accuracy)
    worst = worst_answers(sampled, first)
    return ScoreComparison(
        accuracy=score_part(truth, {index: first[index] for index in worst}, dtype),
        test=score_part(truth, worst, dtype),
        limit_percent=limit_percent,
    )


def score_value(score: PartScore) -> float:
    """Top-1 in percent, or F1 out of 100."""
    return score.percent if isinstance(score, Top1) else score.f1


@singledispatch
def score_part(truth: object, answers: Mapping[int, AccuracyRecord], dtype: str) -> PartScore:
    """The score of ``answers`` alone, by sample index; TypeError for a truth of unknown kind."""
    raise TypeError(f"{type(truth).__name__} can't score a part of its dataset")


@score_part.register
def _(truth: LabelTruth, answers: Mapping[int, AccuracyRecord], dtype: str) -> PartScore:
    correct = sum(
        _means(record.data, truth.labels[index], dtype) for index, record in answers.items()
    )
    return Top1(correct=correct, total=len(answers), dtype=dtype, repeats=0, shift=None)


def _means(data: bytes, label: int, dtype: str) -> bool:
    kind = np.dtype(dtype).newbyteorder("<")
    if len(data) != kind.itemsize:
        return False
    with np.errstate(invalid="ignore"):
        return bool(abs(np.frombuffer(data, kind)[0] - label) < _WHOLE)


@score_part.register
def _(truth: QuestionTruth, answers: Mapping[int, AccuracyRecord], dtype: str) -> PartScore:
    from datasets.questions.answers import best_answers

    features = truth.features
    decoded = decode_spans(list(answers.values()), features.length.tolist(), dtype)
    predictions = best_answers(features, decoded.logits)
    asked = {int(features.question[index]) for index in answers}
    questions = tuple(features.squad.questions[place] for place in sorted(asked))
    return score_squad(predictions, replace(features.squad, questions=questions))
