"""A soak in a plan: a scenario's performance run, repeated until a stated time is filled.

How many runs that is follows from how long one was planned to take, and is decided once: runs of a
soak that are in a plan stay as they are, so that an interrupted soak goes on where it was. Where
they turn out shorter than planned, more are added at the end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from statistics import fmean

from datasets.errors import UsageError
from harness.planning.plan import Plan, repeats_of
from harness.spec import RunSpec, Scenario

MOST_RUNS = 10_000
"""Of one scenario: a plan names each of its runs."""
LACKING_SHARE = 0.005
"""Of the time asked for, which may be missing: LoadGen's clock ends a run, not ours."""

_SECONDS = {"s": 1, "m": 60, "h": 3600}
_TIME = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)([smh])")


def soak_from(text: str | None) -> float | None:
    """Seconds in ``4h``, ``30m`` or ``90s``; None for None."""
    if text is None:
        return None
    matched = _TIME.fullmatch(text.strip())
    seconds = float(matched[1]) * _SECONDS[matched[2]] if matched else 0.0
    if not seconds:
        raise UsageError(f"--soak takes a time such as 4h, 30m or 90s, not {text!r}.")
    return seconds


def with_soak(plan: Plan, soak_s: float) -> Plan:
    """``plan`` with a soak of ``soak_s`` seconds of each scenario, after its performance runs.

    UsageError where one scenario would need more than :data:`MOST_RUNS` runs.
    """

    def missing(own: Sequence[RunSpec]) -> list[RunSpec]:
        return _missing(repeats_of(own), soak_s, _count(plan, own[0].scenario, soak_s))

    return plan.with_more(missing)


def _count(plan: Plan, scenario: Scenario, soak_s: float) -> int:
    count = ceil(soak_s / plan.run_s[scenario])
    if count > MOST_RUNS:
        raise UsageError(
            f"A soak of {soak_s:g} s would be {count} runs of {scenario}, of about "
            f"{plan.run_s[scenario]:g} s each, and at most {MOST_RUNS} can be planned; soak for "
            "less, or in a suite of longer runs."
        )
    return count


def _missing(repeats: Sequence[RunSpec], soak_s: float, count: int) -> list[RunSpec]:
    last = repeats[-1]
    there = sum(run.soak_s is not None for run in repeats)
    numbers = range(last.repeat + 1, last.repeat + 1 + max(0, count - there))
    return [replace(last, repeat=number, soak_s=soak_s) for number in numbers]


def topped_up(plan: Plan, scenario: Scenario, measured_s: Sequence[float]) -> Plan:
    """``plan`` with the runs that the soak of ``scenario`` still lacks, where the runs that it has
    took ``measured_s`` seconds each; never more than :data:`MOST_RUNS` in all."""

    def missing(own: Sequence[RunSpec]) -> list[RunSpec]:
        soaking = [run for run in own if run.soak_s is not None]
        if own[0].scenario != scenario or not soaking or not sum(measured_s) > 0:
            return []
        soak_s = max(run.soak_s or 0.0 for run in soaking)
        lacking_s = soak_s - sum(measured_s)
        if lacking_s <= LACKING_SHARE * soak_s:
            return []
        more = ceil(lacking_s / fmean(measured_s))
        return _missing(repeats_of(own), soak_s, min(MOST_RUNS, len(soaking) + more))

    return plan.with_more(missing)


@dataclass(frozen=True)
class SoakLength:
    """How much of a plan is a soak."""

    scenario: Scenario
    runs: int
    run_s: float
    """About how long each of them takes."""

    def __str__(self) -> str:
        return f"{self.runs} runs of {self.scenario} of about {self.run_s:.3g} s"


def soak_lengths(plan: Plan) -> tuple[SoakLength, ...]:
    """The soak of each scenario that has one."""
    soaking = [run.scenario for run in plan.runs if run.soak_s is not None]
    return tuple(
        SoakLength(scenario, soaking.count(scenario), plan.run_s[scenario])
        for scenario in dict.fromkeys(soaking)
    )
