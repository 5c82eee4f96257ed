"""What is right, for every sample of a run: the labels of images, or the answers to questions.

Built once for a dataset and used for every accuracy run over it: reading the questions and making
their features takes far longer than scoring one log.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from audit.accuracy.coverage import require_coverage
from audit.accuracy.interval import share_interval
from audit.accuracy.spans import decode_spans
from audit.accuracy.squad import SquadScore, score_squad
from audit.accuracy.target import Target, Verdict, judge_f1, judge_top1
from audit.accuracy.top1 import Top1, score_top1
from audit.intervals import Interval
from audit.logs.accuracy_log import AccuracyRecord
from datasets.errors import EvidenceError
from datasets.questions.features import Features


@dataclass(frozen=True)
class Dataset:
    """Where the truth lies."""

    kind: str
    """``imagenet``, ``squad`` or ``simulated``."""
    count: int
    """Samples in the query sample library."""
    sha256: str
    """The identity that the data had when the runs were planned."""
    allow_subset: bool = False
    """Images that are missing were left out on purpose."""
    first: int | None = None
    """Only the first so many images or questions; None for all."""
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

    @property
    def interval(self) -> Interval:
        """Of the value, at :data:`audit.accuracy.interval.CONFIDENCE`."""
        stdev = None if isinstance(self.result, Top1) else self.result.f1_stdev
        return share_interval(self.value, self.result.total, stdev)

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
    dtype: str | None = None
    """The type that labels are logged in; None finds it."""

    def score(self, records: Sequence[AccuracyRecord]) -> Score:
        top1 = score_top1(records, self.labels, self.dtype)
        return Score(top1.percent, top1, top1.dtype)


@dataclass(frozen=True)
class QuestionTruth:
    """Accepted answers, and the features that the samples are."""

    features: Features
    dtype: str | None = None
    """The type that logits are logged in; None finds it."""

    def score(self, records: Sequence[AccuracyRecord]) -> Score:
        from datasets.questions.answers import best_answers

        require_coverage(records, len(self.features))
        decoded = decode_spans(records, self.features.length.tolist(), self.dtype)
        predictions = best_answers(self.features, decoded.logits)
        result = score_squad(predictions, self.features.squad)
        return Score(result.f1, result, decoded.dtype, decoded.repeats_that_differ)


def truth_of(dataset: Dataset) -> Truth:
    """Read the truth. DataError or EvidenceError where the dataset is not what the plan says."""
    readers = {"imagenet": _images, "squad": _questions, "simulated": _simulated}
    return readers[dataset.kind](dataset)


def _images(dataset: Dataset) -> Truth:
    from datasets.images.imagenet import read_imagenet
    from datasets.subset import first_images

    found = first_images(
        read_imagenet(_path(dataset), dataset.labels, allow_subset=dataset.allow_subset),
        dataset.first,
    )
    _require_same(found.sha256, len(found.images), dataset)
    return LabelTruth(tuple(image.label for image in found.images))


def _questions(dataset: Dataset) -> Truth:
    from datasets.questions.features import read_features
    from datasets.questions.squad import read_squad
    from datasets.questions.wordpiece import Vocabulary
    from datasets.subset import first_questions

    if dataset.vocab is None:
        raise EvidenceError("The plan names no vocabulary, so the questions have no features.")
    found = first_questions(read_squad(_path(dataset)), dataset.first)
    features = read_features(found, Vocabulary(dataset.vocab))
    _require_same(found.sha256, len(features), dataset)
    return QuestionTruth(features)


def _simulated(dataset: Dataset) -> Truth:
    from datasets.samples.simulated import labels

    return LabelTruth(tuple(labels(dataset.count).tolist()))


def _path(dataset: Dataset) -> Path:
    if dataset.path is None:
        raise EvidenceError(f"The plan does not say where its {dataset.kind} data lies.")
    return dataset.path


def _require_same(sha256: str, count: int, dataset: Dataset) -> None:
    if count != dataset.count:
        raise EvidenceError(
            f"{dataset.path} holds {count} samples, but the plan was made for {dataset.count}; "
            "put the dataset back as it was."
        )
    if sha256 != dataset.sha256:
        raise EvidenceError(
            f"{dataset.path} has changed since the runs were planned: its SHA-256 is {sha256}, "
            f"not {dataset.sha256}; put the dataset back as it was."
        )
