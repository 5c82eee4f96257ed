"""Whether a log answers every sample of the dataset: nothing less can be scored."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from audit.logs.accuracy_log import AccuracyRecord
from datasets.errors import EvidenceError


@dataclass(frozen=True)
class Coverage:
    """What a complete log answers."""

    samples: int
    repeats: int
    """Answers beyond the first to a sample; LoadGen fills MultiStream's last query so."""


def require_coverage(records: Iterable[AccuracyRecord], samples: int) -> Coverage:
    """Every sample of ``samples`` is answered and no other, else EvidenceError naming one."""
    seen: set[int] = set()
    count = 0
    for record in records:
        count += 1
        if not record.data:
            raise EvidenceError(
                f"Sample {record.qsl_idx} (line {record.line}) has an empty answer."
            )
        if record.qsl_idx >= samples:
            raise EvidenceError(
                f"Line {record.line} answers sample {record.qsl_idx}, but the dataset has "
                f"{samples} samples, numbered from 0."
            )
        seen.add(record.qsl_idx)
    if len(seen) < samples:
        absent = next(index for index in range(samples) if index not in seen)
        raise EvidenceError(
            f"Only {len(seen)} of {samples} samples are answered, sample {absent} is the first "
            "that is not: the log can't be scored."
        )
    return Coverage(samples, count - samples)
