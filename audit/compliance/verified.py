"""The verification files of a compliance test, and what one says, whichever tool wrote it.

Only numbers and the last verdict are read; a number that is not there is None.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from audit.logs.numbers import written

VERIFY_ACCURACY = "verify_accuracy.txt"
VERIFY_PERFORMANCE = "verify_performance.txt"
BASELINE = "accuracy/baseline_accuracy.txt"
COMPLIANCE = "accuracy/compliance_accuracy.txt"

Word = Literal["PASS", "FAIL"]

_COUNTER = re.compile(r"^\s*(num_\w+)\s*=\s*([0-9]{1,15})\s*$", re.MULTILINE)
_WORD = re.compile(r"^\s*TEST (PASS|FAIL)", re.MULTILINE)
_SCORE = re.compile(r"^\s*(reference|test) score\s*=\s*(\S+)\s*$", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True)
class VerifiedAnswers:
    """The counters of ``verify_accuracy.txt``, of logged answers."""

    accuracy_answers: int
    sampled: int
    matched: int
    """Sampled answers to samples that the accuracy run answered too."""
    missing: int
    differing: int

    @property
    def complete(self) -> bool:
        """Whether each of some sampled answers could be compared."""
        return self.sampled > 0 and self.matched == self.sampled and self.missing == 0

    @property
    def same(self) -> bool:
        """Whether each was, and none differs."""
        return self.complete and self.differing == 0


@dataclass(frozen=True)
class VerifiedSpeed:
    """The scores of ``verify_performance.txt``."""

    reference: float | None
    test: float | None


def read_answers(text: str) -> VerifiedAnswers | None:
    """The counters in ``text``; None where one of them is missing or stands twice."""
    found = _COUNTER.findall(text)
    counters = {name: int(count) for name, count in found}
    try:
        answers = VerifiedAnswers(
            accuracy_answers=counters["num_acc_log_entries"],
            sampled=counters["num_perf_log_entries"],
            matched=counters["num_perf_log_qsl_idx_match"],
            missing=counters["num_missing_qsl_idxs"],
            differing=counters["num_perf_log_data_mismatch"],
        )
    except KeyError:
        return None
    return answers if len(found) == len(counters) else None


def read_speed(text: str) -> VerifiedSpeed:
    """The scores in ``text``; None for one that is not there once, as a positive number."""
    found = [(name.lower(), _positive(number)) for name, number in _SCORE.findall(text)]
    return VerifiedSpeed(*(_only(found, name) for name in ("reference", "test")))


def read_word(text: str) -> Word | None:
    """The verdict; FAIL wherever it is said, None where there is none."""
    words = _WORD.findall(text)
    if not words:
        return None
    return "FAIL" if "FAIL" in words else "PASS"


def _only(found: list[tuple[str, float | None]], name: str) -> float | None:
    scores = [score for named, score in found if named == name]
    return scores[0] if len(scores) == 1 else None


def _positive(text: str) -> float | None:
    number = written(text)
    return number if number is not None and number > 0 else None
