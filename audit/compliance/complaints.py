"""What there is to say against a test that can be judged, each with its numbers."""

from __future__ import annotations

from collections.abc import Iterator

from audit.accuracy.top1 import Top1
from audit.compliance.case import Case
from audit.compliance.comparing import ComparedAnswers
from audit.compliance.definition import ComplianceTest
from audit.compliance.speed import SpeedComparison
from audit.compliance.tolerance import ScoreComparison, score_value
from audit.evidence import ACCURACY
from audit.findings import Finding, finding
from audit.loadgen_log import DetailLog

MOST_SAMPLES = 10
"""Samples that are named one by one."""


def of_settings(test: ComplianceTest, log: DetailLog) -> Iterator[Finding]:
    """An error for each setting by which the log shows that the run was not the test."""
    for key, expected in test.effective.items():
        found = log.value(f"effective_{key}")
        if found != expected:
            yield finding(
                "compliance.other_run",
                log.place(f"effective_{key}"),
                found="nothing" if found is None else _text(found),
                expected=_text(expected),
                key=f"effective_{key}",
                test=test.name,
            )


def of_answers(case: Case, compared: ComparedAnswers) -> Iterator[Finding]:
    """Answers that are missing or differ; a warning where their scores agree all the same."""
    where, comparison = f"{case.where}/{ACCURACY}", compared.comparison
    if not case.test.compares_answers:
        return
    if comparison is None:
        yield finding("compliance.no_answers", where, reason=compared.problem, test=case.test.name)
        return
    if comparison.missing:
        yield finding(
            "compliance.missing_answers",
            where,
            found=comparison.missing,
            sampled=comparison.sampled,
            samples=first_few(comparison.missing_samples),
        )
    if comparison.differing:
        agree = compared.scores is not None and compared.scores.passed
        yield finding(
            "compliance.answers_tolerated" if agree else "compliance.answers_differ",
            where,
            found=comparison.differing,
            sampled=comparison.sampled,
            samples=first_few(comparison.differing_samples),
            scores=_scores(compared),
        )


def of_speed(test: ComplianceTest, where: str, speed: SpeedComparison | None) -> Iterator[Finding]:
    """A score outside the limit, measured by the run ``where``."""
    if speed is None or speed.passed:
        return
    limit = f"{speed.limit_percent:g} %"
    yield finding(
        "compliance.speed",
        where,
        found=f"{speed.test:.6g} {speed.unit}",
        expected=f"{speed.reference:.6g} {speed.unit}",
        difference=f"{speed.difference_percent:+.2f} %",
        limit=f"±{limit}" if speed.both_ways else f"at most +{limit}",
        test=test.name,
    )


def first_few(samples: tuple[int, ...]) -> str:
    """The first samples, and how many more there are."""
    shown = ", ".join(map(str, samples[:MOST_SAMPLES]))
    more = len(samples) - MOST_SAMPLES
    return f"{shown} and {more} more" if more > 0 else shown


def _scores(compared: ComparedAnswers) -> str:
    if compared.scores is None:
        reason = compared.problem.removesuffix(".") or "samples are missing"
        return f"they can't be scored beside them: {reason}"
    return _compared(compared.scores)


def _compared(scores: ScoreComparison) -> str:
    metric = "top-1" if isinstance(scores.test, Top1) else "F1"
    test, accuracy = score_value(scores.test), score_value(scores.accuracy)
    if not accuracy:
        return (
            f"of the sampled part the accuracy run has nothing right ({metric} {accuracy:.4f}, "
            f"{test:.4f} in the test), so that no score shows whether they agree"
        )
    verdict = "agree" if scores.passed else "do not agree"
    return (
        f"the scores on the sampled part {verdict}: {metric} {test:.4f} in the test, "
        f"{accuracy:.4f} in the accuracy run, {scores.difference_percent:.4g} % apart, at most "
        f"{scores.limit_percent:g} % is allowed"
    )


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
