"""A sweep as text: the plan before it begins, then the table, what failed, what to use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path

from audit.documents import NOT_MLPERF
from audit.quantities import span
from harness.report.quantity import against
from harness.report.sentences import sentences
from harness.report.width import fitted
from harness.sweep.confirmation import TOLERANCE, Confirmation
from harness.sweep.estimate import Estimate
from harness.sweep.grid import Grid
from harness.sweep.pareto import Point, front
from harness.sweep.recommend import Recommendation
from harness.sweep.record import SweepRecord
from harness.sweep.rows import Measured, Row

ON_FRONT = "*"
HEADINGS = (
    "",
    "configuration",
    "threads",
    "batch",
    "samples/s",
    "p50, ms",
    "p90, ms",
    "p99, ms",
    "memory, MB",
    "CPU %",
    "accuracy %",
    "GPU %",
)
"""The last only where a sensor told of a GPU."""


def plan_lines(grid: Grid, estimate: Estimate) -> Iterator[str]:
    """What will be measured and for how long; what not, and why."""
    counted = len(grid.configurations)
    about = span(estimate.measuring_s + estimate.scoring_s)
    yield f"Planned {counted} configuration{'s'[: counted != 1]}, about {about}:"
    for session, group in groupby(grid.configurations, key=lambda one: one.session):
        same = list(group)
        threads = dict.fromkeys(f"{one.streams} × {one.threads}" for one in same)
        batches = dict.fromkeys(str(one.batch) for one in same)
        yield f"  {session}: threads {', '.join(threads)}; batches {', '.join(batches)}"
    if estimate.scoring_s:
        yield f"  {span(estimate.scoring_s)} of that to score the answers of each of these once"
    reasons: dict[str, int] = {}
    for one in grid.skipped:
        reasons[one.reason] = reasons.get(one.reason, 0) + 1
    for reason, number in reasons.items():
        yield f"  skipped {number}: {reason}"
    if estimate.confirming_s:
        yield (
            "  then a run of LoadGen for each scenario's recommendation, at least "
            f"{span(estimate.confirming_s)} in all; --no-confirm leaves them out"
        )


def points(rows: list[Row]) -> list[Point]:
    """Throughput and the 90th percentile of a batch, which a short sweep can tell."""
    return [Point(row.measured.samples_per_s, row.measured.p90_ms) for row in rows if row.measured]


def measured_rows(record: SweepRecord) -> list[Row]:
    """Those with a measurement, in their order."""
    return [row for row in record.rows if row.measured]


def render(record: SweepRecord, files: list[Path]) -> str:
    """The whole report, without a trailing newline."""
    return "\n\n".join([_table(record), sentences(_below(record, files))])


def _table(record: SweepRecord) -> str:
    rows = measured_rows(record)
    scores = _scores(record)
    on_front = set(front(points(rows)))
    cells = [
        _cells(row, row.measured, ON_FRONT if index in on_front else "", scores)
        for index, row in enumerate(rows)
        if row.measured
    ]
    shown = len(HEADINGS) if any(row[-1] for row in cells) else len(HEADINGS) - 1
    return fitted([row[:shown] for row in cells], HEADINGS[:shown], keys=4)


def _cells(row: Row, seen: Measured, mark: str, scores: Mapping[str, str]) -> tuple[str, ...]:
    one = row.configuration
    return (
        mark,
        one.session,
        f"{one.streams} × {one.threads}",
        str(one.batch),
        f"{seen.samples_per_s:.4g}",
        f"{seen.p50_ms:.4g}",
        f"{seen.p90_ms:.4g}",
        f"{seen.p99_ms:.4g}",
        f"{_memory_bytes(seen) / 1e6:,.0f}",
        f"{seen.cpu_percent:.0f}",
        scores.get(one.session, "not scored"),
        "" if seen.gpu_percent is None else f"{seen.gpu_percent:.0f}",
    )


def _memory_bytes(seen: Measured) -> float:
    """The GPU's where one was used: that is the memory which limits a batch."""
    return seen.peak_rss_bytes if seen.gpu_memory_bytes is None else seen.gpu_memory_bytes


def _scores(record: SweepRecord) -> dict[str, str]:
    """What each session scored, by its name."""
    return {
        one.session: against(one.percent, one.target, one.passed, digits=2)
        for one in record.accuracies
        if one.percent is not None
    }


def _below(record: SweepRecord, files: list[Path]) -> Iterator[str]:
    yield f"{ON_FRONT} on the Pareto front: none is faster at the same p90 latency of a batch"
    yield f"What a sweep measures is {NOT_MLPERF}"
    yield from _failures(record.rows)
    yield from (f"NOT SCORED: {one.session}: {one.cause}" for one in record.accuracies if one.cause)
    if record.recommendations:
        yield "Recommended:"
        for one in record.recommendations:
            yield f"  - {_advice(one)}"
            yield from _runs(one, record.confirmations_of(one.scenario))
        yield from _standard(record)
    yield from (f"Written: {path}" for path in files)


def _standard(record: SweepRecord) -> Iterator[str]:
    """What bearing out means, where anything was put to a run."""
    if record.confirmations:
        yield f"Borne out: VALID, and no more than {100 * TOLERANCE:g} % below what was predicted"
    servers = [one for one in record.recommendations if one.scenario == "Server"]
    if any(one.borne_out is False for one in servers):
        yield "`loadproof search` finds the rate at which Server is VALID"


def _failures(rows: Iterable[Row]) -> Iterator[str]:
    """Each cause once, however many configurations it has ended."""
    by_cause: dict[str, list[Row]] = {}
    for row in rows:
        if row.cause:
            by_cause.setdefault(row.cause, []).append(row)
    for cause, failed in by_cause.items():
        more = f" and {len(failed) - 1} more" if len(failed) > 1 else ""
        yield f"FAILED: {failed[0].configuration}{more}: {cause}"


def _advice(one: Recommendation) -> str:
    if one.configuration is None or one.samples_per_s is None:
        return f"{one.scenario}: none; {one.why}"
    cost = "" if one.cost_per_million is None else f", {one.cost_per_million:.4g} a million samples"
    rate = f"{one.samples_per_s:.4g} samples/s{cost}"
    return f"{one.scenario}: {one.configuration}: {rate} ({one.why})"


def _runs(one: Recommendation, seen: Iterable[Confirmation]) -> Iterator[str]:
    """What LoadGen measured of a recommendation, and what in its place was not borne out."""
    for run in seen:
        if run.configuration == one.configuration:
            yield f"    {'' if run.borne_out else 'NOT BORNE OUT: '}{_run(run)}"
    for run in seen:
        if run.configuration != one.configuration:
            yield f"    not borne out: {run.configuration}: {_run(run)}"


def _run(run: Confirmation) -> str:
    predicted = f"predicted {run.predicted_per_s:.4g}/s"
    if run.verdict == "FAILED":
        return f"{predicted}, FAILED: {run.cause}"
    measured = "nothing" if run.measured_per_s is None else f"{run.measured_per_s:.4g}/s"
    said = f"{predicted}, measured {measured}, {run.verdict}"
    if run.scenario != "Server" or run.percentile is None or run.limit_ms is None:
        return said
    share = f"{100 * run.percentile:g} % within {run.limit_ms:g} ms"
    return f"{said} (sent {100 * (1 - TOLERANCE):g} % of that, {share})"
