"""Whether what the harness recorded of a finished run agrees with itself, its log and its plan."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from audit import quantities
from audit.evidence.folder import ACCURACY, Record, Run
from audit.findings import Finding, finding
from audit.logs.loadgen_log import DetailLog
from audit.logs.numbers import counted
from audit.logs.window import CLOCK_TOLERANCE, longest_ns, measured_ns
from audit.planned.plan import Plan
from audit.regular_file import read_regular
from datasets.errors import EvidenceError

CLOCK_STEP_S = 5.0
"""A wall clock may be stepped so far during a run without a word."""


def contradictions(run: Run, plan: Plan | None) -> Iterator[Finding]:
    """An error for each part of a finished run's record that can't be true."""
    if run.record is None or run.record.outcome != "finished":
        return
    document = run.record.document
    if document["exit_status"] != 0 or run.record.cause:
        found = run.record.cause or f"exit status {document['exit_status']}"
        yield finding("record.outcome", run.name, found=found)
    yield from _times(run, document)
    yield from _samples(run, run.record)
    device = plan.document["facts"].get("device") if plan else None
    if device and document["device_used"] != device:
        yield finding("record.device", run.name, found=document["device_used"], expected=device)


def _times(run: Run, document: Mapping[str, Any]) -> Iterator[Finding]:
    """The run ended after it began, took the time between, and no less than LoadGen measured."""
    wall_s = document["resources"]["wall_seconds"]
    between_s = _between_s(document["started"], document["ended"])
    apart_s = CLOCK_STEP_S + CLOCK_TOLERANCE * wall_s
    stated = quantities.duration(wall_s * 1e9)
    if between_s is None or between_s < 0 or abs(between_s - wall_s) > apart_s:
        span = f"{document['started']} to {document['ended']}"
        yield finding("record.times", run.name, found=stated, expected=span)
    passed_ns = (measured_ns(run.log) if run.log else None) or 0
    if passed_ns > longest_ns(wall_s * 1e9):
        measured = quantities.duration(passed_ns)
        yield finding("record.wall", run.name, found=stated, expected=measured)


def _between_s(started: str, ended: str) -> float | None:
    try:
        return (datetime.fromisoformat(ended) - datetime.fromisoformat(started)).total_seconds()
    except (ValueError, TypeError):
        return None


def _samples(run: Run, record: Record) -> Iterator[Finding]:
    """As many samples as the log says were sent, and all through the streams."""
    logged = _sent(run)
    if logged is not None and record.samples.issued != logged:
        yield finding("record.samples", run.name, found=record.samples.issued, expected=logged)
    streams = record.document["streams"] or {}
    if streams.get("samples") != record.samples.completed:
        found = streams.get("samples", "no")
        yield finding("record.streams", run.name, found=found, expected=record.samples.completed)
    yield from _completions(run, record)


def _completions(run: Run, record: Record) -> Iterator[Finding]:
    """The times of all samples that completed but those of the first batch, which begin them."""
    timed = record.document.get("completions")
    if not timed:
        return
    counted, completed = sum(timed["counts"]), record.samples.completed
    if not 1 <= completed - counted <= run.asked.document["batching"]["max_batch"]:
        yield finding("record.completions", run.name, found=counted, expected=completed)


def _sent(run: Run) -> int | None:
    """Samples that LoadGen sent, by what it left; None where that can't be told."""
    if run.asked.mode == "accuracy":
        return _answers(run)
    return sent_samples(run.log) if run.log else None


def sent_samples(log: DetailLog) -> int | None:
    """Samples of a performance run."""
    queries = counted(log, "result_query_count")
    each = counted(log, "effective_samples_per_query")
    if log.value("effective_scenario") == "Offline":
        each = counted(log, "generated_samples_per_query") or each
    return queries * each if queries is not None and each is not None else None


def _answers(run: Run) -> int | None:
    """Every answer to an accuracy run is logged."""
    try:
        return read_regular(run.folder / ACCURACY).count(b'"seq_id"')
    except EvidenceError:
        return None


def other_software(runs: Iterable[Run]) -> Iterator[Finding]:
    """An error for each finished run that was made with other software than the first of them."""
    finished = [
        (run.name, run.record.document["software"])
        for run in runs
        if run.record and run.record.outcome == "finished"
    ]
    for name, software in finished[1:]:
        first_name, first = finished[0]
        differing = sorted(
            key for key in first.keys() | software if first.get(key) != software.get(key)
        )
        if differing:
            yield finding("record.software", name, found=", ".join(differing), expected=first_name)
