"""Specs of runs for benchmarks: the embedded models and the simulated device."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rich.console import Console

from audit.rules import load_round
from datasets.samples.simulated import prepare_labels
from harness.report.live import display_for
from harness.request import Request
from harness.running.errands import Errands
from harness.sources import resolve
from harness.spec import (
    BackendSpec,
    Batching,
    DatasetRef,
    LoadGenSettings,
    ModelRef,
    RunSpec,
    Scenario,
)
from harness.stop import StopRequests
from tests.benchmarks.benchmark import Place

_ROUND = "v6.1"
_UNKNOWN = "0" * 64
SIMULATED_SAMPLES = 1024


def load(scenario: Scenario, queries: int, **settings: float | int) -> LoadGenSettings:
    """``queries`` of a scenario (samples, in Offline) on the whole dataset; ``settings`` are
    further fields. Time decides nothing."""
    defaults = LoadGenSettings(
        scenario=scenario,
        mode="performance",
        seeds=load_round(_ROUND).seeds,
        min_duration_ms=1,
        min_query_count=queries,
        performance_sample_count=1,
        target_qps=1.0 if scenario == "Offline" else None,
        expected_latency_ns=None if scenario in ("Offline", "Server") else 1_000_000_000,
        percentile=None if scenario == "Offline" else 0.9,
    )
    return replace(defaults, **settings)  # type: ignore[arg-type]


def simulated(
    place: Place, options: Mapping[str, float], batching: Batching, loadgen: LoadGenSettings
) -> RunSpec:
    """A run on the simulated device with the backend's ``options``."""
    store = str(prepare_labels(SIMULATED_SAMPLES, place.cache).folder)
    backend = BackendSpec("simulated", "cpu", options={k: str(v) for k, v in options.items()})
    model = ModelRef("simulated", None, _UNKNOWN, "simulated")
    dataset = DatasetRef(
        "simulated", "simulated", None, _UNKNOWN, SIMULATED_SAMPLES, "simulated", store=store
    )
    return _spec("resnet50", backend, model, dataset, batching, loadgen)


def embedded(
    place: Place,
    benchmark: str,
    backend: str,
    samples: int,
    batching: Batching,
    loadgen: LoadGenSettings,
) -> RunSpec:
    """A run of the embedded model on the first ``samples`` of its data, prepared for it."""
    runtime = BackendSpec(backend, "cpu")
    request = Request(benchmark, backend, "cpu", place.scratch, place.cache)
    with StopRequests() as stop:
        display = display_for(Console(stderr=True, quiet=True))
        errands = Errands(request, place.log, stop, display)
        sources = resolve(errands, samples)
        seen = errands.look(runtime, sources.model)
        dataset = errands.prepare(sources.dataset, seen.layout, seen.dtype)
    return _spec(benchmark, runtime, sources.model, dataset, batching, loadgen)


def _spec(
    benchmark: str,
    backend: BackendSpec,
    model: ModelRef,
    dataset: DatasetRef,
    batching: Batching,
    loadgen: LoadGenSettings,
) -> RunSpec:
    return RunSpec(
        benchmark=benchmark,
        suite="smoke",
        round=_ROUND,
        backend=backend,
        model=model,
        dataset=dataset,
        loadgen=replace(loadgen, performance_sample_count=dataset.count),
        batching=batching,
    )
