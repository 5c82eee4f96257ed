"""The verdict on another harness's logs: each run, the score, and the repeats together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from audit.accuracy.truth import Truth
from audit.consistency.repeats import tail_ns
from audit.consistency.summary import Repeat
from audit.consistency.verdict import Consistency, judge_repeats
from audit.evidence.folder import DETAIL
from audit.findings import Finding, errors, finding
from audit.logs_only.reading import LoggedRun
from audit.logs_only.verdicts import LoggedVerdict, LogsAudit, Yardstick
from audit.metric import measured
from audit.requirements import Acceptance, judge_requirements
from audit.runs import summary
from audit.runs.validity import explain
from audit.scoring import score_log
from audit.spread import spread
from datasets.errors import LoadproofError


def judge_logs(
    runs: Sequence[LoggedRun], truth: Truth | LoadproofError, yardstick: Yardstick
) -> LogsAudit:
    """Judge ``runs`` of one scenario; where there is no truth, the reason is a finding."""
    scenario = yardstick.scenario or _scenario(runs)
    verdicts = tuple(_verdict(run, truth, yardstick, scenario) for run in runs)
    consistency = _consistency(verdicts, yardstick, scenario)
    findings = (
        *(found for one in verdicts for found in one.findings),
        *_absent(runs, scenario),
        *(consistency.findings if consistency else ()),
    )
    why_not = tuple(dict.fromkeys(f.sentence for f in findings if f.gate == "comparable"))
    audit = LogsAudit(
        yardstick=yardstick,
        scenario=scenario,
        runs=verdicts,
        spread=spread([one.value for one in verdicts if one.value is not None]),
        consistency=consistency,
        findings=findings,
        comparable=not why_not and not errors(findings),
        why_not=why_not,
    )
    return replace(audit, acceptance=_acceptance(audit))


def _acceptance(audit: LogsAudit) -> Acceptance | None:
    """By the lines about the one scenario that the logs are of."""
    yardstick = audit.yardstick
    if yardstick.profile is None or audit.scenario not in yardstick.rules.scenarios:
        return None
    measured = [audit.measured]
    return judge_requirements(yardstick.profile, yardstick.benchmark, measured, only_these=True)


def _scenario(runs: Sequence[LoggedRun]) -> str:
    measuring = [run for run in runs if run.mode == "performance"]
    return next((run.scenario for run in (*measuring, *runs)), "unknown")


def _verdict(
    run: LoggedRun, truth: Truth | LoadproofError, yardstick: Yardstick, scenario: str
) -> LoggedVerdict:
    validity = explain(
        run.log,
        None,
        yardstick.round,
        benchmark=yardstick.benchmark,
        system_type=yardstick.system_type,
    )
    findings = [*validity.findings, *summary.contradictions(run.folder, run.log)]
    findings += _other_scenario(run, scenario)
    number, accuracy = None, None
    if run.mode == "accuracy":
        scored = score_log(run.accuracy_log, str(run.accuracy_log), truth, yardstick.target)
        accuracy = scored.verdict
        findings += scored.findings
    elif run.scenario in yardstick.rules.scenarios:
        metric = yardstick.rules.metric(run.scenario)
        number, complaints = measured(run.log, metric, validity.status, run.folder / DETAIL)
        findings += complaints
    return LoggedVerdict(run, validity, number, accuracy, tuple(findings))


def _other_scenario(run: LoggedRun, scenario: str) -> Iterator[Finding]:
    if run.scenario != scenario:
        where = run.log.place("effective_scenario")
        yield finding("logs.other_scenario", where, found=run.scenario, expected=scenario)


def _absent(runs: Sequence[LoggedRun], scenario: str) -> Iterator[Finding]:
    modes = {run.mode for run in runs}
    if "accuracy" not in modes:
        yield finding("accuracy.absent", scenario)
    if "performance" not in modes:
        yield finding("logs.no_performance", scenario)


def _consistency(
    verdicts: Sequence[LoggedVerdict], yardstick: Yardstick, scenario: str
) -> Consistency | None:
    if yardstick.policy is None:
        return None
    repeats = [
        Repeat(str(one.run.folder), one.value, tail_ns(one.run.log, scenario))
        for one in verdicts
        if one.value is not None
    ]
    return judge_repeats(scenario, repeats, (), yardstick.policy)
