"""What is right, for every sample of a run: the labels of images, or the answers to questions.

Built once for a dataset and used for every accuracy run over it: reading the questions and making
their features takes far longer than scoring one log.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from audit.accuracy.coverage import require_coverage
from audit.accuracy.spans import decode_spans
from audit.accuracy.squad import SquadScore, score_squad
from audit.accuracy.target import Target, Verdict, judge_f1, judge_top1
from audit.accuracy.top1 import Top1, score_top1
from audit.accuracy_log import AccuracyRecord
from datasets.errors import EvidenceError
from datasets.features import Features


@dataclass(frozen=True)
class Dataset:
    """Where the truth lies."""

    kind: str
    """``imagenet``, ``squad`` or ``simulated``."""
    count: int
    """Samples in the query sample library: the first ones of the dataset."""
    path: Path | None = None
    labels: Path | None = None
    vocab: Path | None = None


@dataclass(frozen=True)
class Score:
    """The score of one accuracy log."""

    value: float
    """Top-1 in percent or F1, both out of 100."""
    result: Top1 | SquadScore
    dtype: str
    """The type that the answers were logged in."""
    repeats_that_differ: tuple[int, ...] = ()

    def judge(self, target: Target) -> Verdict:
        """Compare with the target."""
        if isinstance(self.result, Top1):
            return judge_top1(self.result.correct, self.result.total, target)
        return judge_f1(self.result.f1, self.result.total, target)


class Truth(Protocol):
    """Knows the right answers of one dataset."""

    def score(self, records: Sequence[AccuracyRecord]) -> Score:
        """Score a whole log; EvidenceError where it can't be scored."""


@dataclass(frozen=True)
class LabelTruth:
    """One label a sample."""

    labels: tuple[int, ...]

    def score(self, records: Sequence[AccuracyRecord]) -> Score:
        top1 = score_top1(records, self.labels)
        return Score(top1.percent, top1, top1.dtype)


@dataclass(frozen=True)
class QuestionTruth:
    """Accepted answers, and the features that the samples are."""

    features: Features
    count: int

    def score(self, records: Sequence[AccuracyRecord]) -> Score:
        from datasets.answers import best_answers

        require_coverage(records, self.count)
        decoded = decode_spans(records, self.features.length.tolist())
        predictions = best_answers(self.features, decoded.logits)
        squad = self.features.squad
        asked = tuple(question for question in squad.questions if question.id in predictions)
        result = score_squad(predictions, replace(squad, questions=asked))
        return Score(result.f1, result, decoded.dtype, decoded.repeats_that_differ)


def truth_of(dataset: Dataset) -> Truth:
    """Read the truth. DataError or EvidenceError where the dataset is not what the plan says."""
    readers = {"imagenet": _images, "squad": _questions, "simulated": _simulated}
    return readers[dataset.kind](dataset)


def _images(dataset: Dataset) -> Truth:
    from datasets.imagenet import read_imagenet

    images = read_imagenet(_path(dataset), dataset.labels, allow_subset=True).images
    _require_count(len(images), dataset)
    return LabelTruth(tuple(image.label for image in images[: dataset.count]))


def _questions(dataset: Dataset) -> Truth:
    from datasets.features import read_features
    from datasets.squad import read_squad
    from datasets.wordpiece import Vocabulary

    if dataset.vocab is None:
        raise EvidenceError("The plan names no vocabulary, so the questions have no features.")
    features = read_features(read_squad(_path(dataset)), Vocabulary(dataset.vocab))
    _require_count(len(features), dataset)
    return QuestionTruth(features, dataset.count)


def _simulated(dataset: Dataset) -> Truth:
    from datasets.simulated import labels

    return LabelTruth(tuple(labels(dataset.count).tolist()))


def _path(dataset: Dataset) -> Path:
    if dataset.path is None:
        raise EvidenceError(f"The plan does not say where its {dataset.kind} data lies.")
    return dataset.path


def _require_count(held: int, dataset: Dataset) -> None:
    if held < dataset.count:
        raise EvidenceError(
            f"{dataset.path} holds {held} samples, but the plan was made for {dataset.count}; "
            "put the dataset back as it was."
        )
