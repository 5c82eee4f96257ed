"""Compliance tests as runs: which of them a plan gets.

A test is the scenario's performance run with LoadGen's audit.config beside it, and nothing else
about it differs: only then does comparing the two say anything.
"""

from __future__ import annotations

from dataclasses import replace

from harness.planning.plan import Plan, rules_of
from harness.spec import RunSpec, Scenario


def with_tests(plan: Plan) -> Plan:
    """``plan`` with every test that its round demands, after each scenario's performance runs.

    Scenarios that the round does not have get none. Runs that are in ``plan`` stay as they are, so
    that finished ones need not be made again.
    """
    runs: list[RunSpec] = []
    for scenario in dict.fromkeys(run.scenario for run in plan.runs):
        own = [run for run in plan.runs if run.scenario == scenario]
        runs += [*own, *_missing_tests(plan, scenario, own)]
    return Plan({**plan.document, "runs": [run.document() for run in runs]}, tuple(runs))


def _missing_tests(plan: Plan, scenario: Scenario, own: list[RunSpec]) -> list[RunSpec]:
    rules = rules_of(plan).benchmark(str(plan.document["benchmark"]))
    if not rules.has_scenario(str(plan.document["system_type"]), scenario):
        return []
    planned = {run.test for run in own}
    performance = next(run for run in own if run.mode == "performance")
    return [
        replace(performance, test=name) for name in rules.compliance_tests if name not in planned
    ]
