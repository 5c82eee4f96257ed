"""The search for the highest Server rate on simulated systems: how many of its seeds end right.

Right is a rate that its last run, of full length, held, at most 5 % below the rate at which half of
such runs are VALID and not above it, after at most 12 runs. The systems lie beside this file, with
that rate; each is as slow as its name says. What is least is less for slow ones, whose runs of full
length blur their own edge.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from statistics import fmean
from typing import Any

from tests.benchmarks.benchmark import Benchmark, Figure, Pair, Place, Round
from tests.harness.queues import Searched, System, searched

SEEDS_A_ROUND = 10
TIME = "time of the slow ones, full-length runs"


@lru_cache(maxsize=1)
def _systems() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    return found


def rounds(place: Place, count: int) -> Iterator[Round]:
    """Searches with seeds of their own in each round; nothing here depends on the clock."""
    for number in range(count):
        yield _round(range(number * SEEDS_A_ROUND, (number + 1) * SEEDS_A_ROUND))


def _round(seeds: range) -> Round:
    figures, lengths = {}, []
    for entry in _systems():
        system, limit = System(**entry["system"]), entry["limit_qps"]
        found = [searched(system, limit, seed) for seed in seeds]
        figures[entry["name"]] = Pair(sum(one.right(limit) for one in found), len(found))
        lengths += _lengths(system, found)
    return {**figures, TIME: Pair(fmean(lengths), 1.0)}


def _lengths(system: System, found: list[Searched]) -> list[float]:
    return [one.lasted_s / system.full_s for one in found if system.full_s >= 600]


BENCHMARKS = (
    Benchmark(
        name="search-simulated",
        ours="searches that end right on simulated systems",
        reference="all of them",
        figures=(
            *(Figure(entry["name"], "searches", least=entry["least"]) for entry in _systems()),
            Figure(TIME, "", most=3.2),
        ),
        rounds=rounds,
    ),
)
