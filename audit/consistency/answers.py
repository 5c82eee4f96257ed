"""What an accuracy run answered, sample by sample, in a form that two runs can be compared in.

A label of ResNet50 is compared as a number, whatever type it was logged in. BERT's answer to a
window of text is its most likely start and end token: logits of two batch sizes or runtimes seldom
have the same bytes, which says nothing of the answer, so their largest difference is told apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from audit.accuracy.spans import decode_spans
from audit.accuracy.top1 import logged_labels
from audit.logs.accuracy_log import AccuracyRecord, by_sample, read_accuracy_log


@dataclass(frozen=True)
class Answers:
    """One accuracy log."""

    name: str
    samples: NDArray[np.int64]
    """Sample indices [N], rising."""
    choices: NDArray[np.int64]
    """[N, 1] labels, or [N, 2] start and end tokens."""
    logits: Mapping[int, NDArray[np.float32]] | None
    """By sample: [length, 2]; None for labels."""


def read_answers(name: str, path: Path, benchmark: str) -> Answers:
    """The answers in an accuracy log of ``benchmark``, called ``name`` from here on.

    EvidenceError where the log can't be read or holds something else.
    """
    records = read_accuracy_log(path, name)
    return spans_of(name, records) if benchmark == "bert" else labels_of(name, records)


def labels_of(name: str, records: tuple[AccuracyRecord, ...]) -> Answers:
    """Labels; of a sample that was sent more than once, the first."""
    labels, _ = logged_labels(records)
    samples, first = np.unique([record.qsl_idx for record in records], return_index=True)
    return Answers(name, samples.astype(np.int64), labels[first][:, None], None)


def spans_of(name: str, records: tuple[AccuracyRecord, ...]) -> Answers:
    """Start and end tokens; of a sample that was sent more than once, the first answer."""
    logits = decode_spans(records).logits
    samples = np.array(sorted(by_sample(records)), np.int64)
    choices = np.array([logits[index].argmax(axis=0) for index in samples.tolist()], np.int64)
    return Answers(name, samples, choices, logits)
