"""Carrying out a search: each step is one LoadGen run in a child process, told to the planner.

The record is written after every run, so that an interruption costs at most one of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from audit.early_stopping import min_queries
from audit.loadgen_log import read_detail
from audit.numbers import counted, positive
from harness.planning.base_spec import rounded
from harness.report.live import RunWatcher
from harness.running.supervisor import Patience, RunResult, supervise
from harness.spec import USUAL_PERCENTILE, RunSpec
from harness.stop import StopRequests
from harness.tuning.search import Answer, Search, Step, Tell
from harness.tuning.search_record import SearchRecord, write_record

LONG_PROBE = 4
"""A long probe lasts this many times as long as a probe."""
LATE_IN_PROBE = 1
"""A probe has at least the queries that early stopping needs with so many late among them."""
NOTE = "a short run that looks for a rate; not a measurement"


@dataclass(frozen=True)
class Bench:
    """Where and how the runs of a search are done."""

    record: Path
    """search.json; the folders of the runs lie beside it."""
    probe_ms: int
    stop: StopRequests
    patience: Patience
    watch: RunWatcher

    def folder(self, number: int) -> Path:
        """Of the run with this number, counted from 1."""
        return self.record.parent / f"probe_{number}"


def carry_out(begun: SearchRecord, bench: Bench) -> SearchRecord:
    """The search from where ``begun`` is to its answer. Errors as :func:`supervise`."""
    search, record = Search(begun.goal, begun.tells), begun
    while isinstance(step := search.ask(), Step):
        number = len(search.tells) + 1
        spec = spec_of(step, record.spec, bench.probe_ms, number)
        bench.watch.begin(
            f"[{number}] {step.kind} at {spec.loadgen.target_qps:g} queries/s",
            spec.loadgen.min_duration_ms / 1000,
        )
        result = supervise(spec, bench.folder(number), bench.stop, bench.patience, bench.watch)
        search.tell(told(step, spec, result))
        record = replace(record, tells=tuple(search.tells))
        write_record(record, bench.record)
    record = replace(record, answer=_rounded(step))
    write_record(record, bench.record)
    return record


def _rounded(answer: Answer) -> Answer:
    return replace(answer, rate_qps=rounded(answer.rate_qps)) if answer.rate_qps else answer


def spec_of(step: Step, full: RunSpec, probe_ms: int, number: int) -> RunSpec:
    """The run that a step asks for: ``full`` at its rate, or shorter and with arrivals of its own,
    since the same arrivals again would show the same chance again."""
    settings = full.loadgen
    rate = rounded(step.rate_qps)
    if step.kind == "confirm":
        return full.at(target_qps=rate)
    length_ms = probe_ms * (LONG_PROBE if step.kind == "long probe" else 1)
    queries = min_queries(settings.percentile or USUAL_PERCENTILE, LATE_IN_PROBE)
    seeds = settings.seeds
    probe = full.at(
        target_qps=rate,
        min_duration_ms=min(length_ms, settings.min_duration_ms),
        min_query_count=min(queries, settings.min_query_count),
        seeds=replace(seeds, schedule_rng_seed=seeds.schedule_rng_seed + number),
    )
    return replace(probe, notes=(NOTE,))


def told(step: Step, spec: RunSpec, result: RunResult) -> Tell:
    """What the run of a step showed, from LoadGen's own log."""
    asked = spec.loadgen.target_qps or step.rate_qps
    if not result.finished:
        return Tell(step.kind, asked, asked, 0, 0, False, str(result.record["cause"]))
    log = read_detail(result.folder / "mlperf_log_detail.txt")
    return Tell(
        kind=step.kind,
        asked_qps=asked,
        sent_qps=positive(log, "result_scheduled_samples_per_sec") or asked,
        queries=counted(log, "result_query_count") or 0,
        late=counted(log, "result_overlatency_query_count") or 0,
        valid=log.value("result_validity") == "VALID",
    )
