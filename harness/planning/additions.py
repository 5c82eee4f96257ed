"""What is added to a plan on top of the suite's runs: repeats, a soak, compliance tests.

A compliance test is the scenario's performance run with LoadGen's audit.config beside it, and
nothing else about it differs: only then does comparing the two say anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from audit.consistency.policy import policy_for
from audit.quantities import span
from harness.planning.plan import Plan, repeats_of, rules_of
from harness.planning.soak import soak_lengths, with_soak
from harness.request import Request
from harness.spec import RunSpec


def extended(planned: Plan, wanted: Request) -> tuple[Plan, tuple[str, ...]]:
    """``planned`` with all that was ``wanted`` on top, and a sentence for each kind added."""
    repeated = with_repeats(planned, wanted.repeat) if wanted.repeat else planned
    soaked = with_soak(repeated, wanted.soak_s) if wanted.soak_s else repeated
    tested = with_tests(soaked) if wanted.compliance else soaked
    said = [*_added("repeats", planned, repeated), *_added("runs of a soak", repeated, soaked)]
    if len(soaked.runs) > len(repeated.runs):
        said += _soak_length(soaked)
    said += _added("compliance tests", soaked, tested)
    return tested, tuple(said)


def with_repeats(plan: Plan, count: int) -> Plan:
    """``plan`` with at least ``count`` performance runs of each scenario."""

    def missing(own: Sequence[RunSpec]) -> list[RunSpec]:
        repeats = repeats_of(own)
        numbers = range(len(repeats) + 1, count + 1)
        return [replace(repeats[-1], repeat=number, soak_s=None) for number in numbers]

    return plan.with_more(missing)


def with_tests(plan: Plan) -> Plan:
    """``plan`` with every test that its round demands; none for a scenario that the round lacks."""
    rules = rules_of(plan).benchmark(str(plan.document["benchmark"]))
    system_type = str(plan.document["system_type"])

    def missing(own: Sequence[RunSpec]) -> list[RunSpec]:
        if not rules.has_scenario(system_type, own[0].scenario):
            return []
        planned = {run.test for run in own}
        first = repeats_of(own)[0]
        return [replace(first, test=name) for name in rules.compliance_tests if name not in planned]

    return plan.with_more(missing)


def _added(kind: str, before: Plan, after: Plan) -> Iterator[str]:
    added = len(after.runs) - len(before.runs)
    if added:
        yield f"{added} {kind} were added to the plan."


def _soak_length(plan: Plan) -> Iterator[str]:
    """How long it will take, said before it starts, and whether it can lead to a verdict."""
    lengths = soak_lengths(plan)
    whole_s = sum(one.runs * one.run_s for one in lengths)
    yield f"Soak: {', '.join(map(str, lengths))}; at least {span(whole_s)} in all."
    needed = policy_for(str(plan.document["suite"])).min_runs
    few = [one.scenario for one in lengths if one.runs < needed]
    if few:
        yield (
            f"A verdict on drift needs {needed} runs; soak {', '.join(few)} for longer to have one."
        )
