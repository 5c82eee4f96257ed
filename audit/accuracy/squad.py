"""Exact match and F1 of SQuAD v1.1, by the definition of its official evaluation script.

Both are averages over all questions; a question without a prediction scores 0. Each prediction is
compared with every accepted answer and its best score counts.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import pstdev

from datasets.questions.squad import SquadSet

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


@dataclass(frozen=True)
class SquadScore:
    """Scores out of 100."""

    exact_match: float
    f1: float
    total: int
    """Questions."""
    unanswered: int
    """Questions without a prediction."""
    f1_stdev: float
    """Standard deviation of F1 over the questions, out of 100."""


def score_squad(predictions: Mapping[str, str], squad: SquadSet) -> SquadScore:
    """Score ``{question id: answer}``. ``squad`` holds at least one question."""
    total, exact = len(squad.questions), 0
    each = [0.0] * total
    for at, question in enumerate(squad.questions):
        if question.id in predictions:
            predicted = predictions[question.id]
            exact += max(exact_match(predicted, answer) for answer in question.answers)
            each[at] = max(token_f1(predicted, answer) for answer in question.answers)
    return SquadScore(
        exact_match=100.0 * exact / total,
        f1=100.0 * sum(each) / total,
        total=total,
        unanswered=sum(question.id not in predictions for question in squad.questions),
        f1_stdev=100.0 * pstdev(each),
    )


def normal_form(text: str) -> str:
    """Lower case, without punctuation, articles and surplus space."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def exact_match(predicted: str, answer: str) -> bool:
    """Whether both have the same normal form."""
    return normal_form(predicted) == normal_form(answer)


def token_f1(predicted: str, answer: str) -> float:
    """The harmonic mean of precision and recall over words; 0 where none is shared."""
    words, truth = normal_form(predicted).split(), normal_form(answer).split()
    shared = (Counter(words) & Counter(truth)).total()
    if not shared:
        return 0.0
    precision, recall = shared / len(words), shared / len(truth)
    return 2 * precision * recall / (precision + recall)
