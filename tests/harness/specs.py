"""Specs of runs on the simulated device, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from audit.rules import load_round
from datasets.samples.simulated import prepare_labels
from harness.spec import (
    BackendSpec,
    Batching,
    DatasetRef,
    LoadGenSettings,
    Mode,
    ModelRef,
    RunSpec,
    Scenario,
)

SAMPLES = 64


def simulated_spec(
    cache: Path,
    scenario: Scenario = "SingleStream",
    mode: Mode = "performance",
    min_duration_ms: int = 300,
    options: Mapping[str, str] | None = None,
) -> RunSpec:
    """A short run of a scenario on the simulated device; ``options`` are the backend's."""
    prepared = prepare_labels(SAMPLES, cache)
    rates = {"Offline": 20_000.0, "Server": 200.0}
    return RunSpec(
        benchmark="resnet50",
        suite="smoke",
        round="v6.1",
        backend=BackendSpec("simulated", "cpu", options={"base_ms": "1", **(options or {})}),
        model=ModelRef("simulated", None, "0" * 64, "simulated"),
        dataset=DatasetRef(
            name="simulated",
            kind="simulated",
            path=None,
            sha256="0" * 64,
            count=SAMPLES,
            origin="simulated",
            store=str(prepared.folder),
        ),
        loadgen=LoadGenSettings(
            scenario=scenario,
            mode=mode,
            seeds=load_round("v6.1").seeds,
            min_duration_ms=min_duration_ms,
            min_query_count=64,
            performance_sample_count=SAMPLES,
            target_qps=rates.get(scenario),
            expected_latency_ns=None if scenario in rates else 500_000,
            target_latency_ns=50_000_000 if scenario == "Server" else None,
            percentile=None if scenario == "Offline" else 0.9,
        ),
        batching=Batching(max_batch=8, streams=1, threads=1),
    )
