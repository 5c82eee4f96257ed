"""The benchmarks that loadproof runs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from datasets.errors import UsageError


@dataclass(frozen=True)
class Benchmark:
    """One benchmark."""

    name: str
    title: str
    dataset_kind: Literal["imagenet", "squad"]
    metric: Literal["top1_percent", "f1"]
    metric_title: str


@lru_cache(maxsize=1)
def benchmarks() -> dict[str, Benchmark]:
    """All benchmarks, by name."""
    table = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    return {name: Benchmark(name, **row) for name, row in table.items()}


def benchmark_named(name: str) -> Benchmark:
    """The benchmark called ``name``; UsageError lists the known ones."""
    known = benchmarks()
    if name not in known:
        raise UsageError(f"There is no benchmark {name!r}; the benchmarks are {', '.join(known)}.")
    return known[name]
