"""Compliance tests that a round demands of a scenario and nobody planned.

Without them nothing of the scenario can be submitted to the closed division, however well it was
measured. Plans that are not meant for it have their own reasons and are not asked for tests.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from audit.findings import Finding, finding
from audit.planned.plan import Plan
from audit.rules import Round


def absent_tests(
    scenario: str, planned: Collection[str | None], plan: Plan, round_: Round
) -> Iterator[Finding]:
    """A note where the round demands tests of ``scenario`` that are not among ``planned``."""
    rules = round_.benchmark(plan.benchmark)
    if plan.why_not_comparable or not rules.has_scenario(plan.system_type, scenario):
        return
    absent = [name for name in rules.compliance_tests if name not in planned]
    if absent:
        where, names = f"{plan.benchmark}/{scenario}", " and ".join(absent)
        yield finding("compliance.not_run", where, found=names, round=round_.name)
