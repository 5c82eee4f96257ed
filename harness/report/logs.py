"""The table of ``loadproof audit --logs``: a row for each run, then what is wrong."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from audit.logs_only.verdicts import LoggedVerdict, LogsAudit
from harness.benchmarks import benchmark_named
from harness.report.findings import finding_lines, why_not_lines
from harness.report.quantity import amount, heading, held
from harness.report.requirements import requirement_lines
from harness.report.sentences import sentences
from harness.report.width import fitted

HEADINGS = ("folder", "scenario", "mode", "LoadGen", "measured", "value", "target")


def render(audit: LogsAudit) -> str:
    """Title, table, findings and verdict, as text without a trailing newline."""
    yardstick = audit.yardstick
    root = _root(audit)
    title = (
        f"{yardstick.benchmark} {audit.scenario} · judged by round {yardstick.round.name} · "
        f"{yardstick.system_type} · logs in {root}"
    )
    rows = [(_below_root(one, root), *_row(one, audit)) for one in audit.runs]
    table = fitted(rows, HEADINGS)
    return "\n\n".join([title, table, sentences(_below(audit))])


def _root(audit: LogsAudit) -> Path:
    """The folder that holds all of the runs' folders."""
    return Path(os.path.commonpath([one.run.folder.absolute() for one in audit.runs]))


def _below_root(one: LoggedVerdict, root: Path) -> str:
    return str(one.run.folder.absolute().relative_to(root))


def _row(one: LoggedVerdict, audit: LogsAudit) -> tuple[str, ...]:
    errors = bool(one.run.log.errors)
    said = f"{one.validity.status}{', errors' if errors else ''}"
    return (one.run.scenario, one.run.mode, said, *_numbers(one, audit))


def _numbers(one: LoggedVerdict, audit: LogsAudit) -> tuple[str, str, str]:
    """What was measured, how much, and the target; a number stands here only if it may be used."""
    if one.accuracy is not None:
        title = benchmark_named(audit.yardstick.benchmark).metric_title
        verdict = one.accuracy.verdict
        target = held(verdict.target.value, verdict.passed)
        logged = f"{title}, {one.accuracy.score.dtype}"
        return logged, f"{one.accuracy.score.value:.3f}", target
    if one.metric is None or not one.good:
        return "", "none", ""
    metric = audit.yardstick.rules.metric(one.run.scenario)
    share = one.run.log.number("effective_target_latency_percentile")
    name = heading(metric.name, metric.unit, share)
    return name, amount(one.metric.value, metric.unit), ""


def _below(audit: LogsAudit) -> Iterator[str]:
    yield from finding_lines(audit.findings, "--json")
    if audit.spread and audit.spread.cv_percent is not None:
        verdict = audit.consistency.verdict if audit.consistency else "not judged without --policy"
        yield f"Repeats: CV {audit.spread.cv_percent:.1f} %, {verdict}"
    yield from requirement_lines(audit.acceptance)
    yield from why_not_lines(audit.why_not)
    yield (
        "Nothing speaks against these numbers."
        if audit.passed
        else "These numbers don't hold: see the errors above."
    )
