"""Whether the answers sampled in a performance run are those of the accuracy run, all bytes.

LoadGen logs a random part of a performance run's answers, often several for one sample. How many it
logs depends on the run, so no number of them is demanded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audit.logs.accuracy_log import AccuracyRecord, by_sample, conflict


@dataclass(frozen=True)
class AnswerComparison:
    """Counts are of logged answers; samples are named by their index in the library."""

    accuracy_answers: int
    accuracy_repeats: int
    """Answers of the accuracy run beyond the first to a sample."""
    accuracy_conflicts: int
    """Of these, those with other bytes than the first, which is the one compared with."""
    sampled: int
    differing: int
    missing: int
    """Sampled answers to samples that the accuracy log lacks."""
    differing_samples: tuple[int, ...]
    """Each once, in the order of the log; so are the missing ones."""
    missing_samples: tuple[int, ...]

    @property
    def same(self) -> bool:
        """Whether every sampled answer equals the accuracy run's."""
        return not self.differing and not self.missing


def compare_answers(
    sampled: Sequence[AccuracyRecord], accuracy: Sequence[AccuracyRecord]
) -> AnswerComparison:
    """Compare every sampled answer with the accuracy run's answer to the same sample."""
    first = first_answers(accuracy)
    differing = [one.qsl_idx for one in sampled if _differs(one, first)]
    missing = [one.qsl_idx for one in sampled if one.qsl_idx not in first]
    return AnswerComparison(
        accuracy_answers=len(accuracy),
        accuracy_repeats=len(accuracy) - len(first),
        accuracy_conflicts=sum(_differs(one, first) for one in accuracy),
        sampled=len(sampled),
        differing=len(differing),
        missing=len(missing),
        differing_samples=tuple(dict.fromkeys(differing)),
        missing_samples=tuple(dict.fromkeys(missing)),
    )


def first_answers(records: Sequence[AccuracyRecord]) -> Mapping[int, AccuracyRecord]:
    """The first answer to each sample, by its index."""
    return {index: found[0] for index, found in by_sample(records).items()}


def worst_answers(
    sampled: Sequence[AccuracyRecord], first: Mapping[int, AccuracyRecord]
) -> Mapping[int, AccuracyRecord]:
    """One sampled answer to each sample: one that differs from ``first`` where there is one."""
    worst: dict[int, AccuracyRecord] = {}
    for index, found in by_sample(sampled).items():
        worst[index] = conflict((first[index], *found)) or found[0]
    return worst


def _differs(record: AccuracyRecord, first: Mapping[int, AccuracyRecord]) -> bool:
    known = first.get(record.qsl_idx)
    return known is not None and record.data != known.data
