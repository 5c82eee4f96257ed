"""A plan: every run of a qualification, frozen before the first of them starts.

Rates and batch sizes that depend on the machine are decided here once, from what was probed, so
that a restart asks for the same runs and finds the finished ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from math import ceil, floor, log10
from pathlib import Path
from typing import Any

from audit import schema
from audit.rules import Round, load_round
from datasets.files import write_json
from harness.limits import ServerLimit
from harness.spec import (
    MULTISTREAM_SAMPLES,
    BackendSpec,
    Batching,
    DatasetRef,
    LoadGenSettings,
    Mode,
    ModelRef,
    RunSpec,
    Scenario,
    spec_from,
)
from harness.suites import Length, Suite
from harness.targets import Target
from harness.tuning.curve import LatencyCurve

LOADGEN_OFFLINE_MARGIN = 1.1
"""LoadGen itself sends this much more than the expected rate needs for the minimum duration."""
EXPECTED_LATENCY_SHARE = 0.2
"""SingleStream and MultiStream are told to expect this share of the probed latency: LoadGen then
generates enough queries beforehand for a machine that was busy when it was probed."""
SERVER_ACCURACY_SHARE = 0.7
"""Of the Offline rate, at which Server's accuracy run sends: no latency is judged in it."""

STALL_LEAST_S = 60.0
STALL_BATCHES = 20


@dataclass(frozen=True)
class Machine:
    """What was learned about the machine before anything is measured."""

    curve: LatencyCurve
    batching: Batching
    server_limit: ServerLimit
    device_used: str
    facts: Mapping[str, str]
    devices: int

    @property
    def stall_s(self) -> float:
        """Seconds without a completed sample after which a run counts as hung."""
        return max(STALL_LEAST_S, STALL_BATCHES * self.curve.batch_s(self.batching.max_batch))

    def offline_qps(self) -> float:
        """Samples per second of all streams at the batch that Offline uses."""
        streams = self.batching.streams * self.devices
        return self.curve.throughput(self.batching.max_batch) * streams


@dataclass(frozen=True)
class Plan:
    """Every run of a qualification, in the order in which they are run."""

    document: Mapping[str, Any]
    runs: tuple[RunSpec, ...]

    @property
    def request(self) -> str:
        return str(self.document["request"])

    @property
    def stall_s(self) -> float:
        return float(self.document["stall_s"])


@dataclass(frozen=True)
class Inputs:
    """Everything that a plan is made of."""

    id: str
    request: str
    benchmark: str
    suite: Suite
    rules: Round
    system_type: str
    backend: BackendSpec
    model: ModelRef
    dataset: DatasetRef
    target: Target
    scenarios: tuple[Scenario, ...]
    machine: Machine


def evidence_id(backend: BackendSpec, model: ModelRef) -> str:
    """Backend, device, precision and model: short, readable, and different for what differs."""
    several = f"x{len(backend.devices)}" if len(backend.devices) > 1 else ""
    device = f"{backend.device}{several}"
    return "-".join((backend.name, device, backend.precision, model.name)).replace("/", "_")


def rounded(rate: float) -> float:
    """``rate`` with four significant digits: what LoadGen's log can repeat exactly."""
    return round(rate, 3 - floor(log10(rate)))


def base_spec(inputs: Inputs, scenario: Scenario, mode: Mode, server_qps: float | None) -> RunSpec:
    """The run of one scenario and mode, repeat 1."""
    return RunSpec(
        benchmark=inputs.benchmark,
        suite=inputs.suite.name,
        round=inputs.rules.name,
        backend=inputs.backend,
        model=inputs.model,
        dataset=inputs.dataset,
        loadgen=_settings(inputs, scenario, mode, server_qps),
        batching=_batching(inputs.machine.batching, scenario),
        notes=tuple(_notes(inputs, scenario)),
    )


def _batching(batching: Batching, scenario: Scenario) -> Batching:
    """Only Offline and Server overlap queries; the others run in one stream."""
    if scenario in {"SingleStream", "MultiStream"}:
        return replace(batching, streams=1)
    return batching


def _notes(inputs: Inputs, scenario: Scenario) -> Iterator[str]:
    rules = inputs.rules.benchmark(inputs.benchmark)
    if not rules.has_scenario(inputs.system_type, scenario):
        yield f"{scenario} is not in this round for {inputs.system_type} systems"
    if scenario == "Server":
        yield inputs.machine.server_limit.note


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
    samples = 1 if scenario == "SingleStream" else MULTISTREAM_SAMPLES
    expected_s = machine.curve.batch_s(samples) * EXPECTED_LATENCY_SHARE
    return replace(settings, expected_latency_ns=max(1, round(expected_s * 1e9)))


def _server_qps(machine: Machine, mode: Mode, found: float | None) -> float | None:
    if mode == "performance" or found is None:
        return found
    return max(found, rounded(machine.offline_qps() * SERVER_ACCURACY_SHARE))


def _length(inputs: Inputs, scenario: Scenario) -> Length:
    """The suite's own length, or the round's where the suite is official."""
    if not inputs.suite.official:
        return inputs.suite.lengths[scenario]
    rules = inputs.rules.benchmark(inputs.benchmark)
    if scenario == "Offline":
        return Length(inputs.rules.min_duration_ms, rules.offline_min_samples)
    fewest = {"SingleStream": 64, "MultiStream": 662, "Server": 459}
    return Length(inputs.rules.min_duration_ms, fewest[scenario], rules.percentile(scenario))


def expected_s(spec: RunSpec, machine: Machine) -> float:
    """About how long a performance run takes."""
    settings = spec.loadgen
    least_s = settings.min_duration_ms / 1000
    if spec.scenario == "Offline":
        by_time = (settings.target_qps or 0.0) * least_s * LOADGEN_OFFLINE_MARGIN
        return max(by_time, settings.min_query_count) / machine.offline_qps()
    if spec.scenario == "Server":
        return max(least_s, settings.min_query_count / (settings.target_qps or 1.0))
    samples = 1 if spec.scenario == "SingleStream" else MULTISTREAM_SAMPLES
    return max(least_s, settings.min_query_count * machine.curve.batch_s(samples))


def make_plan(inputs: Inputs, server_qps: float | None) -> Plan:
    """The plan: each scenario's accuracy run, then its performance runs."""
    runs: list[RunSpec] = []
    for scenario in inputs.scenarios:
        runs.append(base_spec(inputs, scenario, "accuracy", server_qps))
        performance = base_spec(inputs, scenario, "performance", server_qps)
        count = inputs.suite.repeats(expected_s(performance, inputs.machine))
        runs.extend(replace(performance, repeat=number) for number in range(1, count + 1))
    return Plan(_document(inputs, runs), tuple(runs))


def _document(inputs: Inputs, runs: list[RunSpec]) -> dict[str, Any]:
    first = runs[0].document()
    why_not = tuple(_why_not_comparable(inputs))
    return {
        "schema": "loadproof/plan",
        "version": 1,
        "id": inputs.id,
        "request": inputs.request,
        "created": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "suite": inputs.suite.name,
        "round": inputs.rules.name,
        "embedded": "embedded" in {inputs.model.origin, inputs.dataset.origin},
        "comparable": not why_not and inputs.model.origin == inputs.dataset.origin == "official",
        "why_not_comparable": list(why_not),
        "system_type": inputs.system_type,
        "benchmark": inputs.benchmark,
        "model": first["model"],
        "dataset": first["dataset"],
        "accuracy_target": inputs.target.document(),
        "facts": {**inputs.machine.facts, "device": inputs.machine.device_used},
        "stall_s": inputs.machine.stall_s,
        "runs": [run.document() for run in runs],
        "notes": [],
    }


def _why_not_comparable(inputs: Inputs) -> Iterator[str]:
    yield from inputs.suite.why_not_comparable
    if inputs.model.origin == "own":
        yield "the model is your own file: open division only"
    if inputs.dataset.origin == "own":
        yield "the dataset is your own, not the published one"


def save_plan(plan: Plan, path: Path) -> None:
    """Write plan.json, checked by its schema."""
    schema.require(plan.document, "plan", str(path))
    write_json(path, plan.document)


def load_plan(path: Path) -> Plan:
    """The plan in plan.json; EvidenceError where it can't be read as one."""
    document = schema.read(path, "plan")
    return Plan(document, tuple(spec_from(run) for run in document["runs"]))


def rules_of(plan: Plan) -> Round:
    """The round that the plan was made for."""
    return load_round(str(plan.document["round"]))


def estimated_s(plan: Plan, machine: Machine) -> int:
    """About how long the whole plan takes, in whole seconds."""
    accuracy_s = [
        run.dataset.count / (run.loadgen.target_qps or machine.offline_qps())
        for run in plan.runs
        if run.mode == "accuracy"
    ]
    performance_s = [expected_s(run, machine) for run in plan.runs if run.mode == "performance"]
    return ceil(sum(accuracy_s) + sum(performance_s))
