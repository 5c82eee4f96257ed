"""What is said of compliance tests below the table: one line each, with the numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from audit.compliance.answers import AnswerComparison
from audit.compliance.speed import SpeedComparison
from audit.verdicts import ComplianceVerdict


def compliance_lines(verdicts: Sequence[ComplianceVerdict]) -> Iterator[str]:
    """A heading and a line for each test; nothing where there is none."""
    if verdicts:
        yield "Compliance tests:"
    for verdict in verdicts:
        facts = [_speed(verdict.speed)] if verdict.speed else []
        facts += [_answers(verdict.answers)] if verdict.answers else []
        numbers = f" ({', '.join(facts)})" if facts else ""
        yield f"  - {verdict.scenario} {verdict.test}: {verdict.outcome}{numbers}"


def _speed(speed: SpeedComparison) -> str:
    sign = "±" if speed.both_ways else "+"
    return f"score {speed.difference_percent:+.1f} %, limit {sign}{speed.limit_percent:g} %"


def _answers(answers: AnswerComparison) -> str:
    missing = f", {answers.missing} are missing" if answers.missing else ""
    return f"{answers.differing} of {answers.sampled} sampled answers differ{missing}"
