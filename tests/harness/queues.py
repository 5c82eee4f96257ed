"""Simulated systems for the tests of the search, and where their limit truly lies."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import numpy as np

from audit.early_stopping import passes
from harness.tuning.queueing import simulate
from harness.tuning.search import Answer, Goal, Search, Step, Tell

FULL_S = 120.0
PROBE_S, LONG_PROBE_S = 6.0, 24.0
FEWEST_QUERIES = 662


@dataclass(frozen=True)
class System:
    """A queue of greedy batching in front of streams with an affine law, as seconds."""

    base_s: float
    per_sample_s: float
    limit_s: float
    streams: int
    max_batch: int
    percentile: float = 0.99

    def batch_s(self, size: int) -> float:
        return self.base_s + self.per_sample_s * size

    def run(self, rate: float, seconds: float, seed: int) -> Tell:
        """What a run at ``rate`` shows; its kind is to be set."""
        queries = max(FEWEST_QUERIES, round(rate * seconds))
        found = simulate(self.batch_s, rate, queries, self.streams, self.max_batch, seed)
        late = int(np.count_nonzero(found > self.limit_s))
        sent = queries / float(np.random.default_rng(seed).exponential(1 / rate, queries).sum())
        valid = passes(self.percentile, queries - late, late)
        return Tell("probe", rate, sent, queries, late, valid)

    def valid_share(self, rate: float, runs: int) -> float:
        """Share of full-length runs at ``rate`` that are VALID."""
        return sum(self.run(rate, FULL_S, 10_000 + i).valid for i in range(runs)) / runs

    def true_limit(self, runs: int = 20) -> float:
        """The rate at which a full-length run is VALID with probability one half, within 0.1 %."""
        low, high = 0.0, self.streams * self.max_batch / self.batch_s(self.max_batch)
        while high - low > 0.001 * high:
            middle = (low + high) / 2
            low, high = (middle, high) if self.valid_share(middle, runs) >= 0.5 else (low, middle)
        return (low + high) / 2

    def goal(self, start: float) -> Goal:
        return Goal(self.percentile, start, FULL_S, FEWEST_QUERIES, most_runs=12, confirm=True)


LENGTHS_S = {"probe": PROBE_S, "long probe": LONG_PROBE_S, "confirm": FULL_S}


def searched(system: System, limit: float, seed: int) -> tuple[Answer, Search]:
    """A whole search, from a start that is wrong by up to a factor of two."""
    search = Search(system.goal(limit * 2 ** Random(seed).uniform(-1, 0.7)))
    while isinstance(step := search.ask(), Step):
        search.tell(_told(system, step, 1000 * seed + len(search.tells)))
    return step, search


def _told(system: System, step: Step, seed: int) -> Tell:
    found = system.run(step.rate_qps, LENGTHS_S[step.kind], seed)
    return Tell(step.kind, *list(vars(found).values())[1:])
