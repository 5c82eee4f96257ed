"""Simulated systems for the tests of the search, and where their limit truly lies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log, sqrt
from random import Random

import numpy as np
from numpy.typing import NDArray

from audit.runs.early_stopping import min_queries, passes
from harness.tuning.queueing import BatchSeconds, simulate
from harness.tuning.search import Answer, Goal, Search, Step, Tell
from harness.tuning.told import LATE_IN_PROBE, long_probe_s

FEWEST_QUERIES = 459


@dataclass(frozen=True)
class System:
    """A queue of greedy batching in front of streams with an affine law, as seconds."""

    base_s: float
    per_sample_s: float
    limit_s: float
    streams: int
    max_batch: int
    percentile: float = 0.99
    variation: float = 0.0
    """Coefficient of variation of a batch's time, which is lognormal."""
    slow_share: float = 0.0
    slow_factor: float = 1.0
    """So many of the batches take so many times as long."""
    full_s: float = 120.0
    probe_s: float = 6.0

    def batch_s(self, size: int) -> float:
        return self.base_s + self.per_sample_s * size

    def slowed(self, factor: float) -> System:
        """One whose batches take ``factor`` times as long."""
        return replace(self, base_s=self.base_s * factor, per_sample_s=self.per_sample_s * factor)

    def run(self, rate: float, seconds: float, seed: int) -> Tell:
        """What a run at ``rate`` shows; its kind is to be set."""
        queries = max(FEWEST_QUERIES, round(rate * seconds))
        law = self._law(queries, seed)
        found = simulate(law, rate, queries, self.streams, self.max_batch, seed)
        late = int(np.count_nonzero(found > self.limit_s))
        sent = queries / float(np.random.default_rng(seed).exponential(1 / rate, queries).sum())
        valid = passes(self.percentile, queries - late, late)
        return Tell("probe", rate, sent, queries, late, valid)

    def _law(self, queries: int, seed: int) -> BatchSeconds:
        if not self.variation and not self.slow_share:
            return self.batch_s
        factors = iter(self._factors(np.random.default_rng([seed, 1]), queries).tolist())
        return lambda size: self.batch_s(size) * float(next(factors))

    def _factors(self, chance: np.random.Generator, count: int) -> NDArray[np.float64]:
        sigma = sqrt(log(1 + self.variation**2))
        factors = chance.lognormal(-(sigma**2) / 2, sigma, count)
        factors[chance.random(count) < self.slow_share] *= self.slow_factor
        return factors

    def length_s(self, step: Step) -> float:
        """How long the run of a step lasts, as the official suite has it."""
        fewest_s = min_queries(self.percentile, LATE_IN_PROBE) / step.rate_qps
        if step.kind == "probe":
            return min(max(self.probe_s, fewest_s), self.full_s)
        if step.kind == "long probe":
            long_s = long_probe_s(step.rate_qps, self.percentile, self.full_s, self.probe_s)
            return min(long_s, self.full_s)
        return self.full_s

    def valid_share(self, rate: float, runs: int) -> float:
        """Share of full-length runs at ``rate`` that are VALID."""
        return sum(self.run(rate, self.full_s, 10_000 + i).valid for i in range(runs)) / runs

    def true_limit(self, runs: int = 20) -> float:
        """The rate at which a full-length run is VALID with probability one half, within 0.1 %."""
        low, high = 0.0, self.streams * self.max_batch / self.batch_s(self.max_batch)
        while high - low > 0.001 * high:
            middle = (low + high) / 2
            low, high = (middle, high) if self.valid_share(middle, runs) >= 0.5 else (low, middle)
        return (low + high) / 2

    def goal(self, start: float) -> Goal:
        return Goal(self.percentile, start, self.full_s, FEWEST_QUERIES, most_runs=12, confirm=True)


@dataclass(frozen=True)
class Searched:
    """A whole search of a simulated system."""

    answer: Answer
    tells: tuple[Tell, ...]

    @property
    def confirmed(self) -> bool:
        """Whether the last run was of full length, VALID, and at the rate that was found."""
        last = self.tells[-1]
        return last.kind == "confirm" and last.valid and last.asked_qps == self.answer.rate_qps

    @property
    def lasted_s(self) -> float:
        """The time that all its runs take."""
        return sum(tell.queries / tell.sent_qps for tell in self.tells)

    def right(self, limit: float) -> bool:
        """Confirmed after at most 12 runs, at most 5 % below the limit and not above it."""
        rate = self.answer.rate_qps
        near = rate is not None and 0.95 * limit <= rate <= limit
        return near and self.confirmed and len(self.tells) - 1 <= 12


def searched(system: System, limit: float, seed: int, drift: float = 0.0) -> Searched:
    """A whole search, from a start that is wrong by up to a factor of two; each run finds the
    system slower by the share ``drift``."""
    search = Search(system.goal(limit * 2 ** Random(seed).uniform(-1, 0.7)))
    while isinstance(step := search.ask(), Step):
        number = len(search.tells)
        now = system.slowed(1 + drift * number)
        shown = now.run(step.rate_qps, system.length_s(step), 1000 * seed + number)
        search.tell(replace(shown, kind=step.kind))
    return Searched(step, tuple(search.tells))
