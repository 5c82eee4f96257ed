"""Judging a scenario: its score, its repeats together, and whether the round has it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from audit.compliance.absent import absent_tests
from audit.consistency.policy import Policy
from audit.consistency.repeats import repeat_of, soak_run_of, unlike
from audit.consistency.soak import Soak, judge_soak
from audit.consistency.verdict import Consistency, judge_repeats
from audit.evidence.folder import Run
from audit.findings import Finding, finding
from audit.planned.plan import Plan
from audit.rules import Round
from audit.scoring import Scored, Scorer
from audit.spread import spread
from audit.verdicts import AccuracyVerdict, RunVerdict, ScenarioVerdict


@dataclass(frozen=True)
class Judged:
    """A run beside its verdict."""

    run: Run
    verdict: RunVerdict


def judge_scenario(
    judged: Sequence[Judged], plan: Plan, round_: Round, policy: Policy, score: Scorer
) -> ScenarioVerdict:
    """The verdict on the runs of one scenario; ``judged`` holds at least one."""
    asked = judged[0].run.asked
    rules = round_.benchmark(asked.benchmark)
    scored = _scored(judged, score)
    measured = [one for one in judged if _measures(one)]
    values = tuple(
        one.verdict.metric for one in measured if one.verdict.good and one.verdict.metric
    )
    where = f"{asked.benchmark}/{asked.scenario}"
    consistency = _consistency(measured, policy, where)
    soak = _soak(measured, policy, where)
    tests = {one.run.asked.test for one in judged}
    untested = tuple(absent_tests(asked.scenario, tests, plan, round_))
    why_not = tuple(
        dict.fromkeys((*_why_not(judged, scored.verdict, plan, round_), *_said(untested)))
    )
    return ScenarioVerdict(
        benchmark=asked.benchmark,
        scenario=asked.scenario,
        metric=rules.metric(asked.scenario),
        percentile=_percentile(measured) if asked.scenario != "Offline" else None,
        in_round=rules.has_scenario(plan.system_type, asked.scenario),
        accuracy=scored.verdict,
        planned=len(measured),
        values=values,
        spread=spread([number.value for number in values]),
        consistency=consistency,
        soak=soak,
        comparable=not why_not,
        why_not=why_not,
        findings=(
            *scored.findings,
            *untested,
            *consistency.findings,
            *(soak.findings if soak else ()),
        ),
    )


def _consistency(measured: Sequence[Judged], policy: Policy, where: str) -> Consistency:
    good = list(_good(measured))
    repeats = [repeat_of(run, value) for run, value in good]
    return judge_repeats(where, repeats, tuple(unlike([run for run, _ in good])), policy)


def _soak(measured: Sequence[Judged], policy: Policy, where: str) -> Soak | None:
    """The verdict on the runs of a soak; None where there was to be none."""
    planned = [one for one in measured if one.run.asked.soak_s is not None]
    if not planned:
        return None
    asked_s = max(one.run.asked.soak_s or 0.0 for one in planned)
    runs = (soak_run_of(run, value) for run, value in _good(planned))
    return judge_soak(where, [run for run in runs if run], asked_s, policy)


def _good(measured: Sequence[Judged]) -> Iterator[tuple[Run, float]]:
    """The runs whose numbers may be used, with the value of their metric."""
    for one in measured:
        if one.verdict.good and one.verdict.metric:
            yield one.run, one.verdict.metric.value


def _measures(one: Judged) -> bool:
    return one.run.asked.mode == "performance" and one.run.asked.test is None


def _scored(judged: Sequence[Judged], score: Scorer) -> Scored:
    for one in judged:
        if _is_scored(one):
            return score(one.run)
    asked = judged[0].run.asked
    where = f"{asked.benchmark}/{asked.scenario}"
    return Scored(None, (finding("accuracy.absent", where),))


def _is_scored(one: Judged) -> bool:
    asked = one.run.asked
    return asked.mode == "accuracy" and asked.test is None and one.verdict.outcome == "finished"


def _why_not(
    judged: Sequence[Judged], accuracy: AccuracyVerdict | None, plan: Plan, round_: Round
) -> Iterator[str]:
    yield from plan.why_not_comparable
    for one in judged:
        yield from one.verdict.why_not
    if accuracy is not None and not plan.embedded:
        yield from _said(_below_round(accuracy, plan, round_))


def _said(notes: Iterable[Finding]) -> Iterator[str]:
    return (note.sentence for note in notes)


def _below_round(accuracy: AccuracyVerdict, plan: Plan, round_: Round) -> Iterator[Finding]:
    demanded = round_.benchmark(plan.benchmark).accuracy_target
    if accuracy.score.value < demanded.value:
        yield finding(
            "round.accuracy_target",
            accuracy.source.file,
            found=f"{accuracy.score.value:.3f}",
            expected=f"{demanded.value:.3f}",
            round=round_.name,
        )


def _percentile(measured: Sequence[Judged]) -> float | None:
    for one in measured:
        share = one.run.log and one.run.log.number("effective_target_latency_percentile")
        if share:
            return share
    return None
