"""The verdict on another harness's logs: each run, the score, and the repeats together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from audit import summary
from audit.accuracy.truth import Truth
from audit.consistency.repeats import tail_ns
from audit.consistency.summary import Repeat
from audit.consistency.verdict import Consistency, judge_repeats
from audit.evidence import DETAIL
from audit.findings import Finding, errors, finding
from audit.logs_only.reading import LoggedRun
from audit.logs_only.verdicts import LoggedVerdict, LogsAudit, Yardstick
from audit.metric import measured
from audit.requirements import Acceptance, Measured, judge_requirements
from audit.scoring import score_log
from audit.spread import spread
from audit.validity import explain
from datasets.errors import LoadproofError


def judge_logs(
    runs: Sequence[LoggedRun], truth: Truth | LoadproofError, yardstick: Yardstick
) -> LogsAudit:
    """Judge ``runs`` of one scenario; where there is no truth, the reason is a finding."""
    scenario = yardstick.scenario or _scenario(runs)
    verdicts = tuple(_verdict(run, truth, yardstick, scenario) for run in runs)
    good = [one for one in verdicts if one.good and one.metric]
    values = [one.metric.value for one in good if one.metric]
    consistency = _consistency(good, yardstick, scenario)
    findings = (
        *(found for one in verdicts for found in one.findings),
        *_absent(runs, scenario),
        *(consistency.findings if consistency else ()),
    )
    why_not = tuple(dict.fromkeys(f.sentence for f in findings if f.gate == "comparable"))
    return LogsAudit(
        yardstick=yardstick,
        scenario=scenario,
        runs=verdicts,
        spread=spread(values),
        consistency=consistency,
        findings=findings,
        comparable=not why_not and not errors(findings),
        why_not=why_not,
        acceptance=_acceptance(verdicts, yardstick, scenario),
    )


def _acceptance(
    verdicts: Sequence[LoggedVerdict], yardstick: Yardstick, scenario: str
) -> Acceptance | None:
    """By the lines about the one scenario that the logs are of."""
    if yardstick.profile is None or scenario not in yardstick.rules.scenarios:
        return None
    good = [one for one in verdicts if one.good and one.metric]
    found = spread([one.metric.value for one in good if one.metric])
    tails = [tail for one in good if (tail := tail_ns(one.run.log, scenario)) is not None]
    scores = [one.accuracy.score.value for one in verdicts if one.accuracy]
    measured = Measured(
        scenario=scenario,
        unit=yardstick.rules.metric(scenario).unit,
        median=found.median if found else None,
        cv_percent=found.cv_percent if found else None,
        tail_ns=fmean(tails) if tails else None,
        runs=len(good),
        accuracy=min(scores, default=None),
    )
    return judge_requirements(yardstick.profile, yardstick.benchmark, [measured], only_these=True)


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
    good: Sequence[LoggedVerdict], yardstick: Yardstick, scenario: str
) -> Consistency | None:
    if yardstick.policy is None:
        return None
    repeats = [
        Repeat(str(one.run.folder), one.metric.value, tail_ns(one.run.log, scenario))
        for one in good
        if one.metric
    ]
    return judge_repeats(scenario, repeats, (), yardstick.policy)
