"""More repeats of each scenario's performance run than the suite has, added to a plan."""

from __future__ import annotations

from dataclasses import replace

from harness.planning.plan import Plan
from harness.spec import RunSpec


def with_repeats(plan: Plan, count: int) -> Plan:
    """``plan`` with at least ``count`` performance runs of each scenario.

    Runs that are in ``plan`` stay as they are, so that finished ones need not be made again.
    """
    runs: list[RunSpec] = []
    for scenario in dict.fromkeys(run.scenario for run in plan.runs):
        own = [run for run in plan.runs if run.scenario == scenario]
        repeats = [run for run in own if run.mode == "performance" and run.test is None]
        more = range(len(repeats) + 1, count + 1)
        added = [replace(repeats[-1], repeat=number, soak_s=None) for number in more]
        after = own.index(repeats[-1]) + 1
        runs += [*own[:after], *added, *own[after:]]
    return Plan({**plan.document, "runs": [run.document() for run in runs]}, tuple(runs))
