"""Top-1 accuracy of ResNet50 from logged labels.

The reference logs each label as one float32, other harnesses as int32 or int64. The type is found
over all answers together, and a score is given only where every sample of the dataset has exactly
one label.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.accuracy.coverage import require_coverage
from audit.logs.accuracy_log import AccuracyRecord, by_sample, conflict
from datasets.errors import EvidenceError

DTYPES = ("float32", "int32", "int64")
"""In the order of preference, should several fit (all labels 0, say)."""

_LABELS = (-1, 1001)
"""What can be logged where a background class was taken off twice, or not at all."""
_SHIFTS = (1, -1)


@dataclass(frozen=True)
class Shift:
    """A constant that, taken off every logged label, makes far more of them right."""

    offset: int
    correct: int


@dataclass(frozen=True)
class Top1:
    """How many labels are right."""

    correct: int
    total: int
    dtype: str
    """The type the labels were logged in."""
    repeats: int
    """Samples that LoadGen sent more than once to fill a query."""
    shift: Shift | None

    @property
    def percent(self) -> float:
        """Out of 100."""
        return 100.0 * self.correct / self.total


def score_top1(
    records: Sequence[AccuracyRecord], labels: Sequence[int], dtype: str | None = None
) -> Top1:
    """Score logged labels against ``labels``, the truth of each sample by its index.

    ``dtype`` states the type of the logged labels instead of finding it. EvidenceError names the
    sample where an answer is no label, lies outside the dataset, is missing, or contradicts
    another answer to the same sample.
    """
    coverage = require_coverage(records, len(labels))
    _require_agreement(records)
    logged, found = logged_labels(records, dtype)
    answers = np.empty(len(labels), np.int64)
    answers[[record.qsl_idx for record in records]] = logged
    truth = np.asarray(labels, np.int64)
    return Top1(
        correct=int((answers == truth).sum()),
        total=len(labels),
        dtype=found,
        repeats=coverage.repeats,
        shift=_shift(answers, truth),
    )


def logged_labels(
    records: Sequence[AccuracyRecord], dtype: str | None = None
) -> tuple[NDArray[np.int64], str]:
    """The label of each record, and the type they were logged in; ``dtype`` states that type.

    EvidenceError names the sample that is answered with no label.
    """
    found = dtype or _detect(records)
    return _decode(records, found), found


def _require_agreement(records: Sequence[AccuracyRecord]) -> None:
    for answers in by_sample(records).values():
        other = conflict(answers)
        if other is not None:
            raise EvidenceError(
                f"Line {other.line} answers sample {other.qsl_idx} otherwise than line "
                f"{answers[0].line}: the log is not of one run."
            )


def _detect(records: Sequence[AccuracyRecord]) -> str:
    """The type in which every answer is a label; else the one in which most are."""
    size = _usual_size(records)
    fitting = [name for name in DTYPES if np.dtype(name).itemsize == size]
    whole = [record for record in records if len(record.data) == size]
    return max(fitting, key=lambda name: int(_is_label(_values(whole, name)).sum()))


def _usual_size(records: Sequence[AccuracyRecord]) -> int:
    sizes, counts = np.unique([len(record.data) for record in records], return_counts=True)
    usual = int(sizes[counts.argmax()])
    if usual not in {np.dtype(name).itemsize for name in DTYPES}:
        raise EvidenceError(
            f"Sample {records[0].qsl_idx} (line {records[0].line}) is answered with "
            f"{len(records[0].data)} bytes; a label has 4 (float32, int32) or 8 (int64)."
        )
    return usual


def _decode(records: Sequence[AccuracyRecord], dtype: str) -> NDArray[np.int64]:
    if dtype not in DTYPES:
        raise EvidenceError(f"Labels are of type {', '.join(DTYPES)}, not {dtype!r}.")
    size = np.dtype(dtype).itemsize
    for record in records:
        if len(record.data) != size:
            raise _not_a_label(record, f"{len(record.data)} bytes instead of {size}")
    values = _values(records, dtype)
    wrong = np.flatnonzero(~_is_label(values))
    if len(wrong):
        first = int(wrong[0])
        raise _not_a_label(records[first], f"{values[first]} as {dtype}")
    return values.astype(np.int64)


def _values(records: Sequence[AccuracyRecord], dtype: str) -> NDArray[Any]:
    return np.frombuffer(
        b"".join(record.data for record in records), np.dtype(dtype).newbyteorder("<")
    )


def _is_label(values: NDArray[Any]) -> NDArray[np.bool_]:
    low, high = _LABELS
    inside: NDArray[np.bool_] = (values >= low) & (values <= high) & (values == np.round(values))
    return inside


def _not_a_label(record: AccuracyRecord, found: str) -> EvidenceError:
    return EvidenceError(
        f"Sample {record.qsl_idx} (line {record.line}) is answered with {found}, not with a label."
    )


def _shift(answers: NDArray[np.int64], truth: NDArray[np.int64]) -> Shift | None:
    plain = int((answers == truth).sum())
    counts = {offset: int((answers - offset == truth).sum()) for offset in _SHIFTS}
    offset, correct = max(counts.items(), key=lambda item: item[1])
    far_better = correct > 2 * plain and 4 * correct >= len(truth)
    return Shift(offset, correct) if far_better else None
