"""What is added to a plan on top of the suite's runs: repeats, a soak, compliance tests.

Runs that are in the plan stay as they are, so that finished ones need not be made again.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.consistency.policy import policy_for
from audit.quantities import span
from harness.planning.compliance import with_tests
from harness.planning.plan import Plan
from harness.planning.repeats import with_repeats
from harness.planning.soak import soak_lengths, with_soak
from harness.request import Request


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
