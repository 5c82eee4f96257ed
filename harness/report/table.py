"""The table that a qualification ends with, and what is said below it.

Made from the audit alone: a number stands here only if the audit lets it stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from audit.documents import NOT_MLPERF
from audit.verdicts import Audit, RunVerdict, ScenarioVerdict
from harness.benchmarks import benchmark_named
from harness.report.accuracy import accuracy_lines
from harness.report.compliance import compliance_lines
from harness.report.consistency import consistency_lines
from harness.report.findings import finding_lines, why_not_lines
from harness.report.quantity import against, amount, heading, run_count
from harness.report.requirements import requirement_lines
from harness.report.scenario import NOT_IN_ROUND_NOTE, scenario_name
from harness.report.sentences import sentences
from harness.report.soak import soak_lines
from harness.report.width import fitted
from harness.spec import MULTISTREAM_SAMPLES


def render(audit: Audit) -> str:
    """Table, findings, reasons and places, as text without a trailing newline."""
    rows = [row(scenario, audit) for scenario in audit.scenarios]
    table = fitted(rows, _headings(audit))
    return "\n\n".join([_title(audit), table, sentences(_below(audit))])


def _headings(audit: Audit) -> tuple[str, ...]:
    plan = audit.evidence.plan
    score = benchmark_named(plan.benchmark).metric_title if plan else "accuracy"
    return (
        "scenario",
        "metric",
        "value",
        "CV, runs",
        "LoadGen",
        score,
        "threads",
        "batch",
        "MLPerf",
    )


def _title(audit: Audit) -> str:
    plan = audit.evidence.plan
    if plan is None:
        return f"{audit.evidence.folder.name}: no plan"
    embedded = f", embedded model and data: {NOT_MLPERF}" if plan.embedded else ""
    return f"{plan.id} · suite {plan.suite} · round {plan.round} · {plan.system_type}{embedded}"


def row(scenario: ScenarioVerdict, audit: Audit) -> tuple[str, ...]:
    """One scenario: its name, what was measured, under what, and what it is worth."""
    runs = [run for run in audit.runs if run.asked.scenario == scenario.scenario]
    performance = [run for run in runs if run.asked.mode == "performance" and not run.asked.test]
    return (
        scenario_name(scenario.scenario, scenario.in_round),
        _metric(scenario),
        _value(scenario),
        _spread(scenario),
        _loadgen(performance),
        _accuracy(scenario),
        _threads(performance),
        _batch(performance),
        "comparable" if scenario.comparable else "no",
    )


def _metric(scenario: ScenarioVerdict) -> str:
    return heading(scenario.metric.name, scenario.metric.unit, scenario.percentile)


def _value(scenario: ScenarioVerdict) -> str:
    spread = scenario.spread
    return "none" if spread is None else amount(spread.median, scenario.metric.unit)


def _spread(scenario: ScenarioVerdict) -> str:
    good, planned = len(scenario.values), scenario.planned
    counted = f"{good} of {run_count(planned)}" if good < planned else run_count(planned)
    spread = scenario.spread
    if spread is None or spread.cv_percent is None:
        return counted
    unstable = ", unstable" if scenario.consistency.verdict == "unstable" else ""
    return f"{spread.cv_percent:.1f} %, {counted}{unstable}"


def _loadgen(runs: list[RunVerdict]) -> str:
    """What LoadGen and the harness said, the worst first; counts where they differ."""
    seen: dict[str, int] = {}
    for run in runs:
        word = run.loadgen if run.outcome == "finished" else run.outcome.upper()
        word = "VALID, errors" if word == "VALID" and run.error_lines else word
        seen[word] = seen.get(word, 0) + 1
    if len(seen) < 2:
        return next(iter(seen), "none")
    ordered = sorted(seen.items(), key=lambda item: item[0] == "VALID")
    return ", ".join(f"{count} {word}" for word, count in ordered)


def _accuracy(scenario: ScenarioVerdict) -> str:
    accuracy = scenario.accuracy
    if accuracy is None:
        return "none"
    verdict = accuracy.verdict
    return against(accuracy.score.value, verdict.target.value, verdict.passed)


def _threads(runs: list[RunVerdict]) -> str:
    if not runs:
        return ""
    document = runs[0].asked.document
    batching, devices = document["batching"], len(document["backend"]["devices"])
    on = f" on {devices} devices" if devices > 1 else ""
    return f"{batching['streams']} × {batching['threads']}{on}"


def _batch(runs: list[RunVerdict]) -> str:
    if not runs:
        return ""
    largest = int(runs[0].asked.document["batching"]["max_batch"])
    scenario = runs[0].asked.scenario
    if scenario == "SingleStream":
        return "1"
    if scenario == "MultiStream":
        return str(min(MULTISTREAM_SAMPLES, largest))
    return f"≤ {largest}" if scenario == "Server" else str(largest)


def _reason(reason: str, scenarios: Sequence[ScenarioVerdict]) -> str:
    """``reason`` with the scenarios that it is about, where those aren't all."""
    about = [one.scenario for one in scenarios if reason in one.why_not]
    return f"{', '.join(about)}: {reason}" if 0 < len(about) < len(scenarios) else reason


def _below(audit: Audit) -> Iterator[str]:
    if not all(scenario.in_round for scenario in audit.scenarios):
        yield NOT_IN_ROUND_NOTE
    yield from finding_lines(audit.findings, "audit.json")
    yield from accuracy_lines(audit.scenarios)
    yield from consistency_lines(audit)
    yield from soak_lines(audit)
    yield from compliance_lines(audit.compliance)
    yield from requirement_lines(audit.acceptance)
    yield from why_not_lines([_reason(reason, audit.scenarios) for reason in audit.why_not])
    failed = [gate.sentence for gate in audit.gates if not gate.passed]
    if failed:
        yield "No result, because these conditions are not met:"
        yield from (f"  - {sentence}" for sentence in failed)
        yield "Finished runs stay as they are: measure all again with --fresh."
        if any(found.change for found in audit.findings):
            yield "Settings to change go into a file, one a line: add --user-conf FILE."
    else:
        yield f"Result: {audit.evidence.folder / 'result.json'}"
    yield f"Evidence: {audit.evidence.folder}"
