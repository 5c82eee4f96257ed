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

from audit.evidence.conditions import most
from harness.tuning.use import Use

OVERHEAD_SHARE = 0.15
"""Of the busy time, outside predict."""
IDLE_SHARE = {"Server": 0.4, "Offline": 0.15}
CPU_SHARE = 0.6
"""Of the threads' cores, below which they were kept from computing."""
LONG_ENOUGH_S = 5.0
"""Wall time of a process of which opening the model is not the larger part."""
FULL_SHARE = 0.8
"""Of the largest batch, from which batches count as full."""
GPU_SHARE = 0.7
"""Of the time inside predict, in which kernels run: below it the GPU waits for its host."""
MOST_STREAMS = 4
"""On a GPU, up to which one more is worth a try: two or three hide copies behind kernels."""


@dataclass(frozen=True)
class Hint:
    """What limits a run, in words."""

    waits: str
    found: str
    next: str
    """The one setting to try."""


def _is_full(use: Use) -> bool:
    batched = use.scenario == "Server"
    return batched and use.queue > use.max_batch and use.batch >= FULL_SHARE * use.max_batch


def _is_starved(use: Use) -> bool:
    return use.device == "cpu" and use.cpu < CPU_SHARE and use.wall_s > LONG_ENOUGH_S


def _is_crowded(use: Use) -> bool:
    if use.others is None or 100 * use.others <= most("machine.others"):
        return False
    return _is_starved(use)


def _waits_for_host(use: Use) -> bool:
    return use.gpu is not None and use.gpu < GPU_SHARE * use.predict


def _has_gaps(use: Use) -> bool:
    return _waits_for_host(use) and use.scenario in _BATCHED and use.streams < MOST_STREAMS


_BATCHED = ("Offline", "Server")
"""Scenarios whose batches are not given by their queries."""
_RULES: Mapping[str, Callable[[Use], bool]] = {
    "overhead": lambda use: use.overhead > OVERHEAD_SHARE,
    "load": lambda use: use.scenario == "Server" and use.idle > IDLE_SHARE["Server"],
    "uneven": lambda use: use.scenario == "Offline" and use.idle > IDLE_SHARE["Offline"],
    "crowded": _is_crowded,
    "starved": _is_starved,
    "full": _is_full,
    "gaps": _has_gaps,
    "small": lambda use: _waits_for_host(use) and use.scenario in _BATCHED,
    "launches": _waits_for_host,
    "queue": lambda use: use.scenario == "Server" and use.queue > 1,
    "gpu": lambda use: use.gpu is not None,
    "device": lambda use: True,
}
"""The first that holds is the hint."""


def hint(use: Use) -> Hint:
    """What limits a run and what to try next."""
    name = next(name for name, holds in _RULES.items() if holds(use))
    values = vars(use) | {
        "double": 2 * use.max_batch,
        "half": max(1, use.max_batch // 2),
        "more_streams": use.streams + 1,
    }
    return Hint(**{key: text.format(**values) for key, text in _wording()[name].items()})


@lru_cache(maxsize=1)
def _wording() -> Any:
    return json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
