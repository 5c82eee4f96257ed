"""The verdict on each compliance test of a qualification.

Whatever can be compared is compared and told; PASS or FAIL is only said of runs that are good and
as long as the round demands. A run that was no compliance test at all fails at any length.
"""

from __future__ import annotations

from collections.abc import Sequence

from audit.compliance import complaints, differing
from audit.compliance.case import Case, ReadTruth, cases
from audit.compliance.comparing import compared_answers, compared_speed, measured_sources
from audit.findings import errors, finding
from audit.rules import Round
from audit.scenario_verdict import Judged
from audit.verdicts import ComplianceVerdict, ScenarioVerdict


def judge_compliance(
    judged: Sequence[Judged],
    scenarios: Sequence[ScenarioVerdict],
    round_: Round,
    truth: ReadTruth,
) -> tuple[ComplianceVerdict, ...]:
    """The verdicts on all compliance tests among ``judged``; ``truth`` is read only where answers
    differ."""
    return tuple(_judge(case) for case in cases(judged, scenarios, round_, truth))


def _judge(case: Case) -> ComplianceVerdict:
    speed, answers = compared_speed(case), compared_answers(case)
    found = tuple(complaints.of_settings(case.test, case.log)) if case.log else ()
    why_not = "" if found else case.why_not_judged()
    if why_not:
        name = case.test.name
        found = (finding("compliance.not_judged", case.where, test=name, reason=why_not),)
    elif not found:
        found = (
            *differing.of_answers(case, answers),
            *complaints.of_speed(case.test, case.where, speed),
        )
    return ComplianceVerdict(
        test=case.test.name,
        benchmark=case.scenario.benchmark,
        scenario=case.scenario.scenario,
        outcome="NOT JUDGED" if why_not else "FAIL" if errors(found) else "PASS",
        why_not_judged=why_not,
        run=case.where,
        reference=case.performance.verdict.name if case.performance else None,
        speed=speed,
        answers=answers.comparison,
        scores=answers.scores,
        sources=(*measured_sources(case), *answers.sources),
        findings=found,
    )
