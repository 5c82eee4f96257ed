"""What there is to say of a test whose answers are not the accuracy run's."""

from __future__ import annotations

from collections.abc import Iterator

from audit.accuracy.top1 import Top1
from audit.compliance.case import Case
from audit.compliance.comparing import ComparedAnswers
from audit.compliance.complaints import first_few
from audit.compliance.tolerance import ScoreComparison, score_value
from audit.evidence.folder import ACCURACY
from audit.findings import Finding, finding


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
