"""The repeats of one scenario as a series of numbers, and whether they measured the same thing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from audit.consistency.drift import Completions
from audit.consistency.soak import SoakRun
from audit.consistency.summary import Repeat
from audit.evidence.folder import Record, Run
from audit.findings import Finding, finding
from audit.logs.loadgen_log import DetailLog
from audit.logs.window import measured_ns
from audit.runs.too_short import LENGTH_SETTINGS

_APART = {"repeat", "notes", "soak_s"}
"""What tells repeats of one spec from each other, and what only describes."""


def repeat_of(run: Run, value: float) -> Repeat:
    """A good performance run with the ``value`` of its metric."""
    tail = tail_ns(run.log, run.asked.scenario) if run.log else None
    return Repeat(run.name, value, tail, _completions(run.record))


def soak_run_of(run: Run, value: float) -> SoakRun | None:
    """A good run with the ``value`` of its metric; None where its record gives no times."""
    if run.record is None or run.log is None:
        return None
    times = (run.record.document[key] for key in ("started", "ended"))
    began_s, ended_s = (datetime.fromisoformat(time).timestamp() for time in times)
    measured_s = (measured_ns(run.log) or 0) / 1e9
    tail = tail_ns(run.log, run.asked.scenario) if run.asked.scenario == "Server" else None
    return SoakRun(value, began_s, ended_s, measured_s, _completions(run.record), tail)


def tail_ns(log: DetailLog, scenario: str) -> float | None:
    """LoadGen's latency at the percentile of ``scenario``; Offline has no such latency."""
    if scenario == "Offline":
        return None
    share = log.number("effective_target_latency_percentile") or 0.0
    return log.number(f"result_{100 * share:.2f}_percentile_latency_ns")


def _completions(record: Record | None) -> Completions | None:
    entry = record.document.get("completions") if record else None
    if not entry or not entry["even"]:
        return None
    return Completions(entry["interval_ms"], tuple(entry["counts"]))


def unlike(runs: Sequence[Run]) -> Iterator[Finding]:
    """A finding for each run that was made in another way than the first of them."""
    if not runs:
        return
    first = _way(runs[0])
    for run in runs[1:]:
        way = _way(run)
        other = sorted(key for key in {**first, **way} if first.get(key) != way.get(key))
        if other:
            found = ", ".join(other)
            yield finding("consistency.unlike", run.name, found=found, expected=runs[0].name)


def _way(run: Run) -> Mapping[str, Any]:
    """Everything that decides what a run measures, but for how many samples that is."""
    asked = {key: value for key, value in run.asked.document.items() if key not in _APART}
    length = LENGTH_SETTINGS.get(run.asked.scenario)
    for part in ("loadgen", "settings"):
        asked[part] = {key: value for key, value in asked[part].items() if key != length}
    recorded = run.record.document if run.record else {}
    return {**asked, **{key: recorded.get(key) for key in ("device_used", "software")}}
