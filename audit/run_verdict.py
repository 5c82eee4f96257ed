"""Judging one run: what the harness recorded, what LoadGen logged, and whether both are usable."""

from __future__ import annotations

from collections.abc import Iterator

from audit.evidence import attempts, recorded, sealed
from audit.evidence.folder import DETAIL, Record, Run
from audit.findings import Finding, finding
from audit.metric import measured
from audit.planned.plan import Plan
from audit.rules import Round
from audit.runs import summary
from audit.runs.validity import Validity, explain
from audit.verdicts import Number, RunVerdict

_NO_LOG = ("there is no log to compare with the round",)


def judge_run(
    run: Run, round_: Round | None, system_type: str, plan: Plan | None = None
) -> RunVerdict:
    """The verdict on one run. Without a round, no metric is known and nothing is comparable."""
    log, record = run.log, run.record
    validity = explain(log, run.asked, round_, system_type=system_type) if log else None
    number, complaints = _number(run, round_, validity) if validity else (None, ())
    return RunVerdict(
        name=run.name,
        asked=run.asked,
        outcome=record.outcome if record else "missing",
        cause=record.cause if record else "",
        loadgen=validity.status if validity else "MISSING",
        error_lines=len(log.errors) if log else 0,
        samples=record.samples if record else None,
        device_used=str(record.document["device_used"]) if record else "",
        metric=number,
        comparable=validity.comparable if validity else False,
        why_not=validity.why_not if validity else _NO_LOG,
        sensors=record.document.get("sensors") if record else None,
        findings=(
            *run.findings,
            *sealed.changed_record(run),
            *sealed.changed_files(run),
            *(_outcome(record, run.name) if record else ()),
            *attempts.complaints(
                run.name, record.document["attempt"] if record else 1, run.earlier
            ),
            *recorded.contradictions(run, plan),
            *(validity.findings if validity else ()),
            *(summary.contradictions(run.folder, log) if log else ()),
            *complaints,
        ),
    )


def _outcome(record: Record, name: str) -> Iterator[Finding]:
    samples = record.samples
    if record.outcome != "finished":
        cause = record.cause or "no cause was recorded"
        yield finding("run.not_finished", name, found=record.outcome, cause=cause)
    elif samples.completed != samples.issued or not samples.completed:
        yield finding("run.incomplete", name, found=samples.completed, expected=samples.issued)
    if samples.failed or samples.empty:
        yield finding("run.answers", name, failed=samples.failed, empty=samples.empty)


def _number(
    run: Run, round_: Round | None, validity: Validity
) -> tuple[Number | None, tuple[Finding, ...]]:
    if run.log is None or round_ is None or run.asked.mode != "performance":
        return None, ()
    metric = round_.benchmark(run.asked.benchmark).metric(run.asked.scenario)
    return measured(run.log, metric, validity.status, run.folder / DETAIL)
