"""One run of a plan: what LoadGen is told, from the suite, the round, the machine and the user.

Rates that depend on the machine come from what was probed; what the user's own user.conf says comes
before everything else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from audit.runs.early_stopping import ESTIMATE_LATE, min_queries
from harness.planning.inputs import Inputs, Machine
from harness.running import userconf
from harness.spec import (
    EXPECTED_LATENCY_SHARE,
    LOADGEN_OFFLINE_MARGIN,
    USUAL_PERCENTILE,
    Batching,
    LoadGenSettings,
    Mode,
    RunSpec,
    Scenario,
    rounded,
    samples_per_query,
)
from harness.suites import Length
from harness.tuning.batch_limit import best_max_batch

SERVER_ACCURACY_SHARE = 0.7
"""Of the Offline rate, at which Server's accuracy run sends: no latency is judged in it."""


def base_spec(inputs: Inputs, scenario: Scenario, mode: Mode, server_qps: float | None) -> RunSpec:
    """The run of one scenario and mode, repeat 1."""
    loadgen = replace(_settings(inputs, scenario, mode, server_qps), **_own(inputs, scenario))
    return RunSpec(
        benchmark=inputs.benchmark,
        suite=inputs.suite.name,
        round=inputs.rules.name,
        backend=inputs.backend,
        model=inputs.model,
        dataset=inputs.dataset,
        loadgen=loadgen,
        batching=_batching(inputs.machine, loadgen),
        notes=tuple(_notes(inputs, scenario)),
    )


def _own(inputs: Inputs, scenario: Scenario) -> dict[str, Any]:
    """What the user's user.conf decides."""
    return userconf.settings_for(inputs.user_conf, inputs.benchmark, scenario)


def _batching(machine: Machine, loadgen: LoadGenSettings) -> Batching:
    """Only Offline and Server overlap queries; the others run in one stream. Server's batches are
    as large as its limit allows."""
    batching = machine.batching
    if loadgen.scenario == "Offline":
        return batching
    if loadgen.scenario != "Server":
        return replace(batching, streams=1)
    limit_ns = loadgen.target_latency_ns or machine.server_limit.limit_ns
    streams = batching.streams * machine.devices
    percentile = loadgen.percentile or USUAL_PERCENTILE
    return replace(
        batching,
        max_batch=best_max_batch(
            machine.curve, limit_ns / 1e9, percentile, streams, batching.max_batch
        ),
    )


def _notes(inputs: Inputs, scenario: Scenario) -> Iterator[str]:
    rules = inputs.rules.benchmark(inputs.benchmark)
    if not rules.has_scenario(inputs.system_type, scenario):
        yield f"{scenario} is not in this round for {inputs.system_type} systems"
    if scenario == "Server":
        own_ns = _own(inputs, scenario).get("target_latency_ns")
        note = inputs.machine.server_limit.note
        yield note if own_ns is None else f"Server limit {own_ns / 1e6:g} ms: the user.conf's"


def _settings(
    inputs: Inputs, scenario: Scenario, mode: Mode, server_qps: float | None
) -> LoadGenSettings:
    rules = inputs.rules.benchmark(inputs.benchmark)
    length = _length(inputs, scenario)
    machine = inputs.machine
    settings = LoadGenSettings(
        scenario=scenario,
        mode=mode,
        seeds=inputs.rules.seeds,
        min_duration_ms=length.min_duration_ms,
        min_query_count=length.min_query_count,
        performance_sample_count=min(rules.performance_sample_count, inputs.dataset.count),
        percentile=length.percentile,
    )
    if scenario == "Offline":
        return replace(
            settings, target_qps=rounded(machine.offline_qps() * inputs.suite.offline_margin)
        )
    if scenario == "Server":
        limit_ns = machine.server_limit.limit_ns
        qps = _server_qps(machine, mode, server_qps)
        return replace(settings, target_qps=qps, target_latency_ns=limit_ns)
    samples = samples_per_query(scenario)
    expected_s = machine.curve.batch_s(samples) * EXPECTED_LATENCY_SHARE
    return replace(settings, expected_latency_ns=max(1, round(expected_s * 1e9)))


def _server_qps(machine: Machine, mode: Mode, found: float | None) -> float | None:
    if mode == "performance" or found is None:
        return found
    return max(found, rounded(machine.offline_qps() * SERVER_ACCURACY_SHARE))


def _length(inputs: Inputs, scenario: Scenario) -> Length:
    """The suite's own length, or the round's where the suite is official: its duration, with at
    least the queries that early stopping needs."""
    if not inputs.suite.official:
        return inputs.suite.lengths[scenario]
    rules = inputs.rules.benchmark(inputs.benchmark)
    if scenario == "Offline":
        return Length(inputs.rules.min_duration_ms, rules.offline_min_samples)
    percentile = rules.percentile(scenario) or USUAL_PERCENTILE
    late = 0 if scenario == "Server" else ESTIMATE_LATE
    return Length(inputs.rules.min_duration_ms, min_queries(percentile, late), percentile)


def expected_s(spec: RunSpec, machine: Machine) -> float:
    """About how long a performance run takes."""
    settings = spec.loadgen
    least_s = settings.min_duration_ms / 1000
    if spec.scenario == "Offline":
        by_time = (settings.target_qps or 0.0) * least_s * LOADGEN_OFFLINE_MARGIN
        return max(by_time, settings.min_query_count) / machine.offline_qps()
    if spec.scenario == "Server":
        return max(least_s, settings.min_query_count / (settings.target_qps or 1.0))
    query_s = machine.curve.batch_s(samples_per_query(spec.scenario))
    return max(least_s, settings.min_query_count * query_s)
