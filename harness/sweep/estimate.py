"""About how long a sweep takes, said before it begins: nothing has been measured or fetched yet.

Scoring goes over a whole dataset, and may take longer than all that is measured.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from audit.rules import load_round
from datasets.cores import usable_cores
from harness.begin import OFFICIAL_SUITE, default_suite
from harness.request import Request
from harness.spec import SCENARIOS
from harness.sweep.grid import Grid
from harness.sweep.request import SweepRequest
from sut.backend import provider

OPENING_S = 4.0
"""About how long it takes to open a model and to warm it up."""
GPU_CORES = 64
"""As many cores of a CPU does a GPU stand for here; it is only said to be about right."""


@dataclass(frozen=True)
class Estimate:
    """About how long a sweep takes, in seconds."""

    measuring_s: float
    scoring_s: float
    confirming_s: float
    """At least: a Server run has as many queries as its percentile needs."""


def estimate_of(wanted: SweepRequest, grid: Grid) -> Estimate:
    """What a sweep of ``grid`` takes where each recommendation is borne out at once."""
    count = len(grid.configurations)
    runs = len(SCENARIOS) if count and wanted.confirm else 0
    each_s = wanted.seconds + OPENING_S
    sessions = {one.session: one for one in grid.configurations} if wanted.accuracy else {}
    scoring_s = sum(OPENING_S + _score_s(wanted.request_for(one)) for one in sessions.values())
    return Estimate(count * each_s, scoring_s, runs * each_s)


def _score_s(request: Request) -> float:
    """Of a whole dataset; a backend that brings its own model does no work worth counting."""
    if not provider(request.backend).model_suffixes:
        return 0.0
    official = default_suite(request) == OFFICIAL_SUITE
    work = _work()[request.benchmark]["official" if official else "embedded"]
    rules = load_round(request.round).benchmark(request.benchmark)
    cores = usable_cores() if request.device == "cpu" else GPU_CORES
    return float(work.get("samples", rules.dataset_size) * work["core_s"] / cores)


@cache
def _work() -> dict[str, Any]:
    """Benchmark → origin of the model → seconds of a core for a sample, FP32 in ONNX Runtime at
    batch 8 on an AMD EPYC core; samples of the dataset, where the round does not say them."""
    table: dict[str, Any] = json.loads(
        files("harness.sweep").joinpath("scoring_work.json").read_text("utf-8")
    )
    return table
