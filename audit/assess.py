"""From evidence to verdicts: a pure function, which can be made again anywhere and years later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from audit.accuracy.truth import truth_of
from audit.compliance.judging import judge_compliance
from audit.consistency.accuracy_runs import read_all
from audit.consistency.agreement import compare_all, disagreements
from audit.consistency.policy import STRICTEST, Policy, load_policy, policy_for
from audit.evidence import conditions, recorded, sealed
from audit.evidence.folder import Evidence
from audit.findings import Finding, errors, finding, gates
from audit.planned import under_user_conf
from audit.planned.plan import Plan, other_target
from audit.planned.plan import contradictions as plan_contradictions
from audit.rules import Round, load_round
from audit.run_verdict import judge_run
from audit.scenario_verdict import Judged, judge_scenario
from audit.scoring import scorer_for
from audit.verdicts import Audit, ComplianceVerdict, Gate, ScenarioVerdict
from datasets.errors import UsageError


def assess(evidence: Evidence, policy: Policy | None = None) -> Audit:
    """Judge all that was read. Nothing stops early: what can't be judged is a finding.

    Without a ``policy``, repeats are judged by the one that names the plan's suite.
    """
    plan = evidence.plan
    policy = policy or (policy_for(plan.suite) if plan else load_policy(STRICTEST))
    round_, unknown = _round(plan)
    system_type = plan.system_type if plan else "edge"
    judged = [Judged(run, judge_run(run, round_, system_type, plan)) for run in evidence.runs]
    scenarios = _scenarios(judged, plan, round_, policy) if plan and round_ else ()
    compliance = _compliance(judged, scenarios, plan, round_)
    agreement = compare_all(read_all(evidence.runs))
    findings = (
        *evidence.findings,
        *unknown,
        *_whole(evidence, round_),
        *(found for one in judged for found in one.verdict.findings),
        *(found for scenario in scenarios for found in scenario.findings),
        *(found for test in compliance for found in test.findings),
        *disagreements(agreement, policy),
    )
    why_not = _why_not(scenarios, compliance, unknown)
    return Audit(
        evidence=evidence,
        runs=tuple(one.verdict for one in judged),
        scenarios=scenarios,
        compliance=compliance,
        policy=policy,
        agreement=agreement,
        gates=_gates(findings, judged=bool(judged)),
        findings=_notes_once(findings),
        comparable=not why_not,
        why_not=why_not,
    )


def _whole(evidence: Evidence, round_: Round | None) -> Iterator[Finding]:
    """What is to be said of the evidence as a whole, whatever each run is worth."""
    if evidence.plan is not None:
        yield from plan_contradictions(evidence.plan)
        yield from under_user_conf.not_obeyed(evidence.plan)
        yield from under_user_conf.measured_again(evidence.plan)
        if round_ is not None:
            yield from other_target(evidence.plan, round_)
    yield from sealed.changed_plan(evidence)
    yield from sealed.same_logs(evidence.runs)
    yield from recorded.other_software(evidence.runs)
    yield from conditions.disturbances(evidence.runs)


def _round(plan: Plan | None) -> tuple[Round | None, tuple[Finding, ...]]:
    if plan is None:
        return None, ()
    try:
        return load_round(plan.round), ()
    except UsageError as error:
        return None, (finding("evidence.unreadable", "plan.json", reason=error),)


def _scenarios(
    judged: Sequence[Judged], plan: Plan, round_: Round, policy: Policy
) -> tuple[ScenarioVerdict, ...]:
    groups: dict[tuple[str, str], list[Judged]] = {}
    for one in judged:
        asked = one.run.asked
        groups.setdefault((asked.benchmark, asked.scenario), []).append(one)
    score = scorer_for(plan)
    return tuple(judge_scenario(group, plan, round_, policy, score) for group in groups.values())


def _compliance(
    judged: Sequence[Judged],
    scenarios: Sequence[ScenarioVerdict],
    plan: Plan | None,
    round_: Round | None,
) -> tuple[ComplianceVerdict, ...]:
    if plan is None or round_ is None:
        return ()
    return judge_compliance(judged, scenarios, round_, partial(truth_of, plan.dataset))


def _why_not(
    scenarios: Sequence[ScenarioVerdict],
    compliance: Sequence[ComplianceVerdict],
    unknown: Iterable[Finding],
) -> tuple[str, ...]:
    """Reasons of the scenarios that the round has; the others can't be compared anyway."""
    counted = [scenario for scenario in scenarios if scenario.in_round]
    reasons = [found.sentence for found in unknown]
    reasons += [reason for scenario in counted for reason in scenario.why_not]
    unjudged = [test for test in compliance if test.why_not_judged]
    reasons += [note.sentence for test in unjudged for note in test.findings]
    if not counted:
        reasons.append("no scenario of the round was run")
    return tuple(dict.fromkeys(reasons))


def _notes_once(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """A note is about the whole as much as about the first run that it was found in."""
    seen: dict[object, Finding] = {}
    for found in findings:
        key = found.sentence if found.severity == "note" else found
        seen.setdefault(key, found)
    return tuple(seen.values())


def _gates(findings: Sequence[Finding], *, judged: bool) -> tuple[Gate, ...]:
    failing = [found.gate for found in errors(findings)]
    return tuple(
        Gate(id_, sentence, failing.count(id_), judged) for id_, sentence in gates().items()
    )
