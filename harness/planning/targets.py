"""What accuracy a model must reach on a dataset, and where that number comes from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from statistics import fmean
from typing import Any

from audit.rules import Round
from harness.benchmarks import Benchmark
from harness.spec import DatasetRef, ModelRef

SHARE = 0.99
"""Of the reference score, as MLPerf's 99 % targets demand."""
SIMULATED_PERCENT = 99.0


@dataclass(frozen=True)
class Target:
    """The least score, in percent."""

    metric: str
    value: float
    source: str

    def document(self) -> dict[str, Any]:
        """The form that plan.json holds."""
        return {"metric": self.metric, "value": self.value, "source": self.source}


@lru_cache(maxsize=1)
def embedded_references() -> Any:
    """The scores of the embedded models in FP32, item by item, as they were measured once."""
    return json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))


def target_for(benchmark: Benchmark, model: ModelRef, dataset: DatasetRef, rules: Round) -> Target:
    """The accuracy target: the round's on official data, else 0.99 of the recorded reference."""
    if dataset.origin == "embedded":
        return _embedded(benchmark, dataset.first)
    if dataset.origin == "simulated":
        return Target(benchmark.metric, SIMULATED_PERCENT, "the simulated device is always right")
    target = rules.benchmark(benchmark.name).accuracy_target
    name = rules.benchmark(benchmark.name).name
    return Target(benchmark.metric, target.value, f"round {rules.name}, {name}, closed division")


def _embedded(benchmark: Benchmark, first: int | None) -> Target:
    reference = embedded_references()[benchmark.name]
    scores = reference["percent_by_item"]
    used = scores[:first]
    text = f"{SHARE} × the embedded model's recorded FP32 score on {len(used)} items"
    return Target(benchmark.metric, SHARE * fmean(used), text)
