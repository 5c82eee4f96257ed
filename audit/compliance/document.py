"""The JSON form of a compliance verdict, as audit.json and result.json hold it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from audit.accuracy.top1 import Top1
from audit.compliance.answers import AnswerComparison
from audit.compliance.complaints import MOST_SAMPLES
from audit.compliance.speed import SpeedComparison
from audit.compliance.tolerance import ScoreComparison, score_value
from audit.compliance_tests import compliance_test
from audit.verdicts import ComplianceVerdict


def compliance_document(verdict: ComplianceVerdict) -> dict[str, Any]:
    """Numbers, limits and the files that they come from; only the first samples are named."""
    return {
        "test": verdict.test,
        "title": compliance_test(verdict.test).title,
        "benchmark": verdict.benchmark,
        "scenario": verdict.scenario,
        "outcome": verdict.outcome,
        "why_not_judged": verdict.why_not_judged,
        "run": verdict.run,
        "reference": verdict.reference,
        "speed": _speed(verdict.speed) if verdict.speed else None,
        "answers": _answers(verdict.answers) if verdict.answers else None,
        "scores": _scores(verdict.scores) if verdict.scores else None,
        "sources": [asdict(source) for source in verdict.sources],
    }


def _speed(speed: SpeedComparison) -> dict[str, Any]:
    return asdict(speed)


def _answers(answers: AnswerComparison) -> dict[str, Any]:
    return {
        **asdict(answers),
        "differing_samples": list(answers.differing_samples[:MOST_SAMPLES]),
        "missing_samples": list(answers.missing_samples[:MOST_SAMPLES]),
    }


def _scores(scores: ScoreComparison) -> dict[str, Any]:
    return {
        "metric": "top1_percent" if isinstance(scores.test, Top1) else "f1",
        "accuracy": score_value(scores.accuracy),
        "test": score_value(scores.test),
        "total": scores.test.total,
        "difference_percent": scores.difference_percent,
        "limit_percent": scores.limit_percent,
    }
