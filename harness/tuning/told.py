"""From a step of a search to the run that it asks for, and from the run to what it showed."""

from __future__ import annotations

from dataclasses import replace

from audit.logs.loadgen_log import read_detail
from audit.logs.numbers import counted, positive
from audit.runs.early_stopping import min_queries
from harness.running.supervisor import RunResult
from harness.spec import USUAL_PERCENTILE, RunSpec, rounded
from harness.tuning.search import Step, Tell

LONG_PROBE = 4
"""A long probe lasts at least this many times as long as a probe,"""
LATE_IN_LONG_PROBE = 100
"""and, where a third of the full length is enough for that, until it has the queries that early
stopping needs with so many late among them: slow systems have few late queries to learn from."""
LONGEST_SHARE = 1 / 3
LATE_IN_PROBE = 1
"""A probe has at least the queries that early stopping needs with so many late among them."""
NOTE = "a short run that looks for a rate; not a measurement"


def spec_of(step: Step, full: RunSpec, probe_ms: int, number: int) -> RunSpec:
    """The run that a step asks for: ``full`` at its rate, or shorter and with arrivals of its own,
    since the same arrivals again would show the same chance again."""
    settings = full.loadgen
    rate = rounded(step.rate_qps)
    if step.kind == "confirm":
        return full.at(target_qps=rate)
    percentile = settings.percentile or USUAL_PERCENTILE
    length_ms, full_s = probe_ms, settings.min_duration_ms / 1000
    if step.kind == "long probe":
        length_ms = round(1000 * long_probe_s(rate, percentile, full_s, probe_ms / 1000))
    queries = min_queries(percentile, LATE_IN_PROBE)
    seeds = settings.seeds
    probe = full.at(
        target_qps=rate,
        min_duration_ms=min(length_ms, settings.min_duration_ms),
        min_query_count=min(queries, settings.min_query_count),
        seeds=replace(seeds, schedule_rng_seed=seeds.schedule_rng_seed + number),
    )
    return replace(probe, notes=(NOTE,))


def long_probe_s(rate_qps: float, percentile: float, full_s: float, probe_s: float) -> float:
    """How long a long probe at a rate lasts, in seconds, before the full length limits it."""
    wanted_s = min_queries(percentile, LATE_IN_LONG_PROBE) / rate_qps
    return max(LONG_PROBE * probe_s, min(wanted_s, LONGEST_SHARE * full_s))


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
