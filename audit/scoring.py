"""Scoring the accuracy run of a scenario against the plan's target."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from audit.accuracy.target import Target, Verdict
from audit.accuracy.top1 import Top1
from audit.accuracy.truth import Score, Truth, truth_of
from audit.evidence.folder import ACCURACY, Run
from audit.findings import Finding, finding
from audit.logs.accuracy_log import read_accuracy_log
from audit.planned.plan import Plan
from audit.verdicts import AccuracyVerdict, Source
from datasets.disk.files import sha256_of
from datasets.errors import LoadproofError


@dataclass(frozen=True)
class Scored:
    """A verdict, or none, and what there is to say about it."""

    verdict: AccuracyVerdict | None
    findings: tuple[Finding, ...]


Scorer = Callable[[Run], Scored]


def scorer_for(plan: Plan) -> Scorer:
    """Scores accuracy runs of ``plan``; the truth is read once, at the first of them."""
    read: list[Truth | LoadproofError] = []

    def score(run: Run) -> Scored:
        if not read:
            read.append(_read_truth(plan))
        where = f"{run.name}/{ACCURACY}"
        return score_log(run.folder / ACCURACY, where, read[0], plan.target)

    return score


def _read_truth(plan: Plan) -> Truth | LoadproofError:
    try:
        return truth_of(plan.dataset)
    except LoadproofError as error:
        return error


def score_log(path: Path, where: str, truth: Truth | LoadproofError, target: Target) -> Scored:
    """Score the accuracy log ``path``, which findings call ``where``.

    Where there is no truth, or the log can't be scored, the reason is the finding.
    """
    try:
        if isinstance(truth, LoadproofError):
            raise truth
        score = truth.score(read_accuracy_log(path, where))
    except LoadproofError as error:
        return Scored(None, (finding("accuracy.not_scoreable", where, reason=error),))
    verdict = AccuracyVerdict(score, score.judge(target), Source(where, sha256_of(path)))
    return Scored(verdict, tuple(_complaints(where, score, verdict.verdict)))


def _complaints(where: str, score: Score, verdict: Verdict) -> Iterator[Finding]:
    if not verdict.passed:
        yield finding(
            "accuracy.below_target",
            where,
            found=f"{score.value:.3f}",
            expected=f"{verdict.target.value:.3f}",
            margin=verdict.margin,
        )
    if score.repeats_that_differ:
        first, count = score.repeats_that_differ[0], len(score.repeats_that_differ)
        yield finding("accuracy.repeats_differ", where, found=count, expected=first)
    if isinstance(score.result, Top1) and score.result.shift:
        yield _shifted(where, score.result)


def _shifted(where: str, top1: Top1) -> Finding:
    offset, correct = (top1.shift.offset, top1.shift.correct) if top1.shift else (0, 0)
    return finding(
        "accuracy.offset",
        where,
        found=f"{offset:+d}",
        expected="0",
        shift=offset,
        percent=f"{100 * correct / top1.total:.3f} %",
    )
