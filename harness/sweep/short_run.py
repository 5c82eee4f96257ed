"""The short LoadGen run that a recommendation is put to: what it asks for, and what it showed.

Its counts and percentiles are the quick suite's, its length the sweep's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from audit.logs.loadgen_log import DetailLog, read_detail
from audit.logs.numbers import positive
from audit.rules import Round
from audit.runs.early_stopping import min_queries
from audit.runs.invalid import mean_query_ns
from harness.running.supervisor import RunResult
from harness.spec import (
    EXPECTED_LATENCY_SHARE,
    BackendSpec,
    Batching,
    DatasetRef,
    LoadGenSettings,
    ModelRef,
    RunSpec,
    Scenario,
    rounded,
    samples_per_query,
)
from harness.suites import load_suite
from harness.sweep.confirmation import TOLERANCE, Confirmation
from harness.sweep.recommend import SERVER_PERCENTILE

SUITE = "quick"
NOTE = "a short run that bears out a sweep; not a measurement"
LONGEST_S = 30.0
"""Of a Server run that is VALID for the percentile of the prediction; where the rate is too low for
that, it is the suite's percentile."""
LATE = 1
"""A Server run has at least the queries that early stopping needs with so many late among them."""
FEWEST_ROUNDS = 6
"""Of full batches on each stream in Offline, so that its end weighs less than the tolerance."""


@dataclass(frozen=True)
class Subject:
    """What all configurations of one backend and precision share."""

    benchmark: str
    rules: Round
    backend: BackendSpec
    model: ModelRef
    dataset: DatasetRef


def spec_of(asked: Confirmation, subject: Subject, seconds: float) -> RunSpec:
    """The run that is to show what was predicted; about ``seconds`` long where the counts that it
    needs allow it."""
    suite, one = load_suite(SUITE), asked.configuration
    length = suite.lengths[asked.scenario]
    samples = subject.rules.benchmark(subject.benchmark).performance_sample_count
    common = LoadGenSettings(
        scenario=asked.scenario,
        mode="performance",
        seeds=subject.rules.seeds,
        min_duration_ms=min(length.min_duration_ms, max(1, round(seconds * 1000))),
        min_query_count=length.min_query_count,
        performance_sample_count=min(samples, subject.dataset.count),
        percentile=length.percentile,
    )
    at_once = one.streams * len(subject.backend.devices) * one.batch
    return RunSpec(
        benchmark=subject.benchmark,
        suite=SUITE,
        round=subject.rules.name,
        backend=subject.backend,
        model=subject.model,
        dataset=subject.dataset,
        loadgen=_settings(common, asked, suite.offline_margin, at_once),
        batching=Batching(max_batch=one.batch, streams=one.streams, threads=one.threads),
        notes=(NOTE,),
    )


def _settings(
    common: LoadGenSettings, asked: Confirmation, margin: float, at_once: int
) -> LoadGenSettings:
    per_s = asked.predicted_per_s
    if common.scenario == "Offline":
        queries = FEWEST_ROUNDS * at_once
        return replace(common, target_qps=rounded(per_s * margin), min_query_count=queries)
    if common.scenario == "Server":
        return _server(common, per_s * (1 - TOLERANCE), asked.limit_ms or 0.0)
    expected_ns = samples_per_query(common.scenario) / per_s * EXPECTED_LATENCY_SHARE * 1e9
    return replace(common, expected_latency_ns=max(1, round(expected_ns)))


def _server(common: LoadGenSettings, rate: float, limit_ms: float) -> LoadGenSettings:
    within_s = rate * LONGEST_S >= min_queries(SERVER_PERCENTILE, LATE)
    percentile = SERVER_PERCENTILE if within_s else common.percentile or SERVER_PERCENTILE
    return replace(
        common,
        target_qps=rounded(rate),
        target_latency_ns=max(1, round(limit_ms * 1e6)),
        percentile=percentile,
        min_query_count=min_queries(percentile, LATE),
    )


def confirmation_of(asked: Confirmation, spec: RunSpec, result: RunResult) -> Confirmation:
    """``asked`` with what its run showed, from LoadGen's own log."""
    if not result.finished:
        return replace(asked, cause=str(result.record["cause"]))
    log = read_detail(result.folder / "mlperf_log_detail.txt")
    return replace(
        asked,
        percentile=spec.loadgen.percentile,
        verdict="VALID" if log.value("result_validity") == "VALID" else "INVALID",
        measured_per_s=_samples_per_s(asked.scenario, log),
    )


_RATES: Mapping[str, str] = {
    "Offline": "result_samples_per_second",
    "Server": "result_completed_samples_per_sec",
}


def _samples_per_s(scenario: Scenario, log: DetailLog) -> float | None:
    """What a rate means in a sweep: in SingleStream and MultiStream that of the mean query."""
    if scenario in _RATES:
        return positive(log, _RATES[scenario])
    latency_ns = mean_query_ns(log)
    return samples_per_query(scenario) / latency_ns * 1e9 if latency_ns else None
