"""Which side of a run waits for the other, and the one setting to try next.

A pure function of what run.json recorded; the wording lies in bottleneck.json. It is a hint: the
thresholds say where a change is worth a try, not where something is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

OVERHEAD_SHARE = 0.15
"""Of the busy time, outside predict."""
IDLE_SHARE = {"Server": 0.4, "Offline": 0.15}
CPU_SHARE = 0.6
"""Of the threads' cores, below which they were kept from computing."""
LONG_ENOUGH_S = 5.0
"""Wall time of a process of which opening the model is not the larger part."""
FULL_SHARE = 0.8
"""Of the largest batch, from which batches count as full."""


@dataclass(frozen=True)
class Use:
    """Where the time of a run went; shares are of the streams' whole time."""

    scenario: str
    device: str
    max_batch: int
    threads: int
    """Of all streams together."""
    batch: float
    """Mean size."""
    queue: float
    """Samples that waited, averaged over time."""
    predict: float
    idle: float
    overhead: float
    """Gathering and completing, as a share of the busy time."""
    cpu: float
    """Of the threads' cores, over the whole process."""
    wall_s: float


@dataclass(frozen=True)
class Hint:
    """What limits a run, in words."""

    waits: str
    found: str
    next: str
    """The one setting to try."""


def use_of(record: Mapping[str, Any]) -> Use | None:
    """Where the time of a run went, from its run.json; None where it did not come to its end or
    was recorded without the times."""
    streams, spec = record["streams"], record["spec"]
    if not streams or "idle_s" not in streams or not streams["samples"]:
        return None
    outside_s = streams["gather_s"] + streams["complete_s"]
    busy_s = outside_s + streams["predict_s"]
    total_s = busy_s + streams["idle_s"]
    batching, backend = spec["batching"], spec["backend"]
    threads = batching["streams"] * batching["threads"] * len(backend["devices"])
    resources = record["resources"]
    return Use(
        scenario=spec["scenario"],
        device=backend["device"],
        max_batch=batching["max_batch"],
        threads=threads,
        batch=streams["samples"] / sum(streams["batch_sizes"].values()),
        queue=streams["queue_length_mean"],
        predict=streams["predict_s"] / total_s,
        idle=streams["idle_s"] / total_s,
        overhead=outside_s / busy_s,
        cpu=resources["cpu_seconds"] / max(resources["wall_seconds"], 1e-3) / threads,
        wall_s=resources["wall_seconds"],
    )


def _is_full(use: Use) -> bool:
    batched = use.scenario == "Server"
    return batched and use.queue > use.max_batch and use.batch >= FULL_SHARE * use.max_batch


_RULES: Mapping[str, Callable[[Use], bool]] = {
    "overhead": lambda use: use.overhead > OVERHEAD_SHARE,
    "load": lambda use: use.scenario == "Server" and use.idle > IDLE_SHARE["Server"],
    "uneven": lambda use: use.scenario == "Offline" and use.idle > IDLE_SHARE["Offline"],
    "starved": lambda use: (
        use.device == "cpu" and use.cpu < CPU_SHARE and use.wall_s > LONG_ENOUGH_S
    ),
    "full": _is_full,
    "queue": lambda use: use.scenario == "Server" and use.queue > 1,
    "device": lambda use: True,
}
"""The first that holds is the hint."""


def hint(use: Use) -> Hint:
    """What limits a run and what to try next."""
    name = next(name for name, holds in _RULES.items() if holds(use))
    values = vars(use) | {"double": 2 * use.max_batch, "half": max(1, use.max_batch // 2)}
    return Hint(**{key: text.format(**values) for key, text in _wording()[name].items()})


@lru_cache(maxsize=1)
def _wording() -> Any:
    return json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
