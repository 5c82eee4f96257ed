"""Which configuration to use in each scenario, under a goal that the user states.

Server's rate is what the simulated queue sustains with the measured latency of each batch, the
others' is that of streams that were kept busy: predictions of what LoadGen will measure, which a
short run confirms (:mod:`harness.sweep.confirmation`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from typing import Literal

from harness.running.curve import LatencyCurve, curve_from
from harness.spec import MULTISTREAM_SAMPLES, SCENARIOS, Scenario
from harness.sweep.grid import Configuration
from harness.sweep.rows import Accuracy, Measured, Row
from harness.tuning.queueing import sustainable_rate

Kind = Literal["throughput", "latency", "cost"]
SERVER_PERCENTILE = 0.99
_Seen = tuple[Configuration, Measured]


@dataclass(frozen=True)
class Goal:
    """What counts as best."""

    kind: Kind
    latency_limit_ms: float | None
    """Of Server in any case; under the goal ``latency``, of every scenario."""
    price_per_hour: float | None

    def cost(self, samples_per_s: float) -> float | None:
        """Of a million samples, in the currency of the price."""
        price = self.price_per_hour
        return None if price is None else price / 3600 / samples_per_s * 1e6


@dataclass(frozen=True)
class Recommendation:
    """The best configuration of one scenario, or why there is none."""

    scenario: Scenario
    configuration: Configuration | None
    samples_per_s: float | None
    latency_ms: float | None
    """p99 of a batch; in MultiStream p99 of a query; in Server the limit."""
    cost_per_million: float | None
    why: str
    borne_out: bool | None = None
    """Whether a run of LoadGen bore the rate out; None where there was none."""


@dataclass(frozen=True)
class _Choice:
    configuration: Configuration
    samples_per_s: float
    latency_ms: float


def recommend(
    rows: Sequence[Row], goal: Goal, accuracies: Sequence[Accuracy] = ()
) -> tuple[Recommendation, ...]:
    """The best one for each scenario."""
    return tuple(ranked[0] for ranked in candidates(rows, goal, accuracies))


def candidates(
    rows: Sequence[Row], goal: Goal, accuracies: Sequence[Accuracy] = ()
) -> tuple[tuple[Recommendation, ...], ...]:
    """For each scenario what can be recommended of what no accuracy is known to bar, best first; a
    single one without a configuration where nothing can. At one price an hour the cheapest sample
    is the fastest one, so that the goals ``throughput`` and ``cost`` choose alike."""
    measured = [(row.configuration, row.measured) for row in rows if row.measured]
    barred = {one.session: one.shortfall for one in accuracies if one.shortfall}
    return tuple(_ranked(scenario, measured, goal, barred) for scenario in SCENARIOS)


def _ranked(
    scenario: Scenario, measured: Sequence[_Seen], goal: Goal, barred: Mapping[str, str]
) -> tuple[Recommendation, ...]:
    found = [choice for choice in _choices(scenario, measured, goal) if choice.samples_per_s > 0]
    limit_ms = goal.latency_limit_ms
    limited = goal.kind == "latency" and limit_ms is not None
    quick = [one for one in found if not limited or one.latency_ms <= (limit_ms or 0)]
    allowed = [one for one in quick if one.configuration.session not in barred]
    if not allowed:
        short = dict.fromkeys(barred[one.configuration.session] for one in quick)
        why = "; ".join(short) or _why_none(scenario, measured, found, goal)
        return (Recommendation(scenario, None, None, None, None, why),)
    why = _why(scenario, goal, limited)
    ordered = sorted(allowed, key=lambda one: -one.samples_per_s)
    return tuple(_recommended(scenario, one, goal, why) for one in ordered)


def _recommended(scenario: Scenario, one: _Choice, goal: Goal, why: str) -> Recommendation:
    cost = goal.cost(one.samples_per_s)
    return Recommendation(scenario, one.configuration, one.samples_per_s, one.latency_ms, cost, why)


def _choices(scenario: Scenario, measured: Sequence[_Seen], goal: Goal) -> Iterator[_Choice]:
    if scenario == "Server":
        yield from _server(measured, goal.latency_limit_ms)
        return
    for one, seen in measured:
        alone = scenario == "SingleStream" and (one.streams, one.batch) == (1, 1)
        if scenario == "Offline" or alone:
            yield _Choice(one, seen.samples_per_s, seen.p99_ms)
        elif scenario == "MultiStream" and one.streams == 1 and one.batch <= MULTISTREAM_SAMPLES:
            batches = ceil(MULTISTREAM_SAMPLES / one.batch)
            rate = MULTISTREAM_SAMPLES / (batches * one.batch) * seen.samples_per_s
            yield _Choice(one, rate, batches * seen.p99_ms)


def _server(measured: Sequence[_Seen], limit_ms: float | None) -> Iterator[_Choice]:
    if limit_ms is None:
        return
    ordered = sorted(measured, key=lambda pair: (str(pair[0].at_any_batch), pair[0].batch))
    for _, group in groupby(ordered, key=lambda pair: pair[0].at_any_batch):
        same = list(group)
        curve = curve_from({one.batch: seen.p50_ms / 1000 for one, seen in same})
        for one, _seen in same:
            yield _Choice(one, _sustained(one, curve, limit_ms), limit_ms)


def _sustained(one: Configuration, curve: LatencyCurve, limit_ms: float) -> float:
    return sustainable_rate(
        curve.batch_s, limit_ms / 1000, SERVER_PERCENTILE, one.streams, one.batch
    )


def _why(scenario: Scenario, goal: Goal, limited: bool) -> str:
    kind = "lowest cost" if goal.kind == "cost" else "highest throughput"
    if scenario == "Server":
        return f"highest rate that the simulated queue sustains within {goal.latency_limit_ms:g} ms"
    return f"{kind} with p99 within {goal.latency_limit_ms:g} ms" if limited else kind


def _why_none(
    scenario: Scenario, measured: Sequence[_Seen], found: Sequence[_Choice], goal: Goal
) -> str:
    if not measured:
        return "no configuration was measured"
    if scenario == "Server" and goal.latency_limit_ms is None:
        return "the round has no limit for it: name one with --latency-limit-ms"
    if found or scenario == "Server":
        return f"no configuration keeps within {goal.latency_limit_ms:g} ms"
    if scenario == "SingleStream":
        return "no configuration with one stream and batch 1 was measured"
    return f"none with one stream and a batch of at most {MULTISTREAM_SAMPLES} was measured"
