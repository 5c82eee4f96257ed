"""Reading what a test left and comparing it with what it must agree with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audit.compliance.answers import AnswerComparison, compare_answers
from audit.compliance.case import Case
from audit.compliance.speed import SpeedComparison, compare_speed
from audit.compliance.tolerance import ScoreComparison, compare_scores
from audit.compliance_tests import accuracy_tolerance_percent
from audit.evidence.folder import ACCURACY, Run
from audit.logs.accuracy_log import AccuracyRecord, read_accuracy_log
from audit.verdicts import Source
from datasets.disk.files import sha256_of
from datasets.errors import EvidenceError, LoadproofError


@dataclass(frozen=True)
class ComparedAnswers:
    """What became of comparing answers; nothing where the test does not compare them."""

    comparison: AnswerComparison | None = None
    scores: ScoreComparison | None = None
    problem: str = ""
    """Why there is no comparison, or none of scores where answers differ."""
    sources: tuple[Source, ...] = ()


def compared_speed(case: Case) -> SpeedComparison | None:
    """Both measurements; None where either is missing."""
    performance = case.performance.verdict.metric if case.performance else None
    measured = case.run.verdict.metric
    if performance is None or measured is None:
        return None
    return compare_speed(
        case.test.speed,
        case.scenario.scenario,
        case.scenario.metric,
        performance.value,
        measured.value,
    )


def measured_sources(case: Case) -> Iterator[Source]:
    """The logs that the measurements stand in."""
    for one in (case.performance, case.run):
        if one is not None and one.verdict.metric is not None:
            yield one.verdict.metric.source


def compared_answers(case: Case) -> ComparedAnswers:
    """The sampled answers beside the accuracy run's, as far as both can be read."""
    if not case.test.compares_answers or case.accuracy is None:
        return ComparedAnswers()
    try:
        accuracy, sampled = _records(case.accuracy.run), _records(case.run.run)
    except EvidenceError as error:
        return ComparedAnswers(problem=str(error))
    comparison = compare_answers(sampled, accuracy)
    scores, problem = _scores(case, comparison, sampled, accuracy)
    sources = (_source(case.accuracy.run), _source(case.run.run))
    return ComparedAnswers(comparison, scores, problem, sources)


def _scores(
    case: Case,
    comparison: AnswerComparison,
    sampled: Sequence[AccuracyRecord],
    accuracy: Sequence[AccuracyRecord],
) -> tuple[ScoreComparison | None, str]:
    scored = case.scenario.accuracy
    if not comparison.differing or comparison.missing or scored is None:
        return None, ""
    limit = accuracy_tolerance_percent(case.round.benchmark(case.scenario.benchmark).name)
    try:
        dtype = scored.score.dtype
        return compare_scores(sampled, accuracy, case.truth(), dtype, limit), ""
    except LoadproofError as error:
        return None, str(error)


def _records(run: Run) -> tuple[AccuracyRecord, ...]:
    return read_accuracy_log(run.folder / ACCURACY, f"{run.name}/{ACCURACY}")


def _source(run: Run) -> Source:
    return Source(f"{run.name}/{ACCURACY}", sha256_of(run.folder / ACCURACY))
