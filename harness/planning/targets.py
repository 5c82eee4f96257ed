"""What accuracy a model must reach on a dataset, and where that number comes from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from statistics import fmean
from typing import Any

from audit.accuracy.interval import CONFIDENCE, share_interval
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
    """The accuracy target: the round's on official data, else 0.99 of the recorded reference, or
    what can be told from it where only the first few items are used."""
    if dataset.origin == "embedded":
        return _embedded(benchmark, dataset.first)
    if dataset.origin == "simulated":
        return Target(benchmark.metric, SIMULATED_PERCENT, "the simulated device is always right")
    target = rules.benchmark(benchmark.name).accuracy_target
    name = rules.benchmark(benchmark.name).name
    return Target(benchmark.metric, target.value, f"round {rules.name}, {name}, closed division")


def _embedded(benchmark: Benchmark, first: int | None) -> Target:
    """On the first few items, of which one is more than the hundredth that may be missed, a score
    falls short only where it tells something of the model: where its interval does."""
    reference = embedded_references()[benchmark.name]
    scores = reference["percent_by_item"]
    used = scores[:first]
    text = f"{SHARE} × the embedded model's recorded FP32 score on {len(used)} items"
    value = SHARE * fmean(used)
    if len(used) == len(scores):
        return Target(benchmark.metric, value, text)
    least = least_reaching(value, len(used))
    reach = f"the least score whose {100 * CONFIDENCE:g} % interval reaches {value:.2f}"
    return Target(benchmark.metric, least, f"{reach}, {text}")


def least_reaching(percent: float, count: int) -> float:
    """The least score of ``count`` items, each right or wrong, whose interval reaches
    ``percent``."""
    shares = (100 * right / count for right in range(count + 1))
    return next(share for share in shares if share_interval(share, count).high >= percent)
