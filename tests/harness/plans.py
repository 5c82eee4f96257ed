"""What plans are made of, for tests: machines of a known speed, and requests."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from audit.rules import load_round
from harness.benchmarks import benchmark_named
from harness.planning.inputs import Inputs, Machine
from harness.planning.limits import server_limit
from harness.planning.targets import target_for
from harness.request import Request
from harness.running.curve import LatencyCurve, curve_from
from harness.spec import SCENARIOS, BackendSpec, Batching, DatasetRef, ModelRef
from harness.suites import load_suite

SHA = "0" * 64
FAST = curve_from({1: 0.005, 8: 0.020, 64: 0.128})
"""A stream that answers 500 samples per second in batches of 64."""
SLOW = curve_from({1: 1.0, 8: 8.0, 64: 64.0})
"""A stream that takes a second for every sample."""
MODEL = ModelRef("resnet50-embedded", "model.onnx", SHA, "embedded")


def machine(benchmark: str = "resnet50", curve: LatencyCurve = FAST, devices: int = 1) -> Machine:
    """A machine with two streams on each device, which run batches of 64."""
    return Machine(
        curve=curve,
        batching=Batching(max_batch=64, streams=2, threads=1),
        server_limit=server_limit(load_round("v6.1").benchmark(benchmark), curve, multiple=10),
        device_used="CPUExecutionProvider",
        facts={"layout": "NCHW"},
        devices=devices,
    )


def inputs(
    suite: str = "quick", benchmark: str = "resnet50", round_name: str = "v6.1", **changes: Any
) -> Inputs:
    """Inputs of a plan for the embedded model and 500 items."""
    rules = load_round(round_name)
    dataset = DatasetRef("items", "imagenet", "items", SHA, 500, "embedded")
    made = Inputs(
        id="an-id",
        request=SHA,
        benchmark=benchmark,
        suite=load_suite(suite),
        rules=rules,
        system_type="edge",
        backend=BackendSpec("onnxruntime", "cpu"),
        model=MODEL,
        dataset=dataset,
        target=target_for(benchmark_named(benchmark), MODEL, dataset, rules),
        scenarios=SCENARIOS,
        machine=machine(benchmark),
    )
    return replace(made, **changes)


def request(tmp_path: Path, **changes: Any) -> Request:
    """A request for the simulated device whose files stay under ``tmp_path``."""
    asked = Request(
        benchmark="resnet50",
        backend="simulated",
        device="cpu",
        output=tmp_path / "output",
        cache=tmp_path / "cache",
    )
    return replace(asked, **changes)
