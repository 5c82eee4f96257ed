"""Going on with a plan under another user.conf: only what it decides otherwise is planned again.

A scenario that both files decide alike keeps its runs, which need not be made again. The others
keep the same runs, repeat for repeat, with other settings, and the plan says from then on that they
were made again: no scenario is rerolled unseen.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from audit.planned.plan import plan_from
from audit.planned.under_user_conf import not_obeyed
from datasets.errors import EvidenceError
from harness.planning.base_spec import base_spec
from harness.planning.inputs import Inputs
from harness.planning.plan import Plan, run_s_of
from harness.running.userconf import Entry, entries_of, settings_for
from harness.spec import RunSpec, Scenario


def decided_otherwise(earlier: Plan, now: Sequence[Entry]) -> tuple[Scenario, ...]:
    """The scenarios of ``earlier`` for which a user.conf of ``now`` sets something else."""
    before, benchmark = entries_of(earlier.user_conf), earlier.runs[0].benchmark
    return tuple(
        scenario
        for scenario in dict.fromkeys(run.scenario for run in earlier.runs)
        if settings_for(before, benchmark, scenario)
        != settings_for(tuple(now), benchmark, scenario)
    )


def with_set_aside(earlier: Plan, changed: Collection[str], moved_to: str) -> Plan:
    """``earlier``, saying where the runs of the ``changed`` scenarios were set aside to."""
    more = [
        {"scenario": name, "user_conf": list(earlier.user_conf), "moved_to": moved_to}
        for name in changed
    ]
    aside = [*earlier.document.get("set_aside", ()), *more]
    return Plan({**earlier.document, "set_aside": aside}, earlier.runs)


def require_obeyed(earlier: Plan) -> None:
    """EvidenceError where the plan states a user.conf that its runs were not planned with."""
    for found in not_obeyed(plan_from(earlier.document)):
        raise EvidenceError(f"{found.sentence} {found.fix}")


def replanned(
    earlier: Plan, inputs: Inputs, changed: Collection[str], server_qps: float | None
) -> Plan:
    """``earlier`` with the runs of the ``changed`` scenarios as ``inputs`` have them."""

    def again(run: RunSpec) -> RunSpec:
        if run.scenario not in changed:
            return run
        fresh = base_spec(inputs, run.scenario, run.mode, server_qps)
        kept = {key: getattr(run, key) for key in ("model", "dataset", "repeat", "test", "soak_s")}
        return replace(fresh, **kept)

    made = earlier.with_runs(again(run) for run in earlier.runs)
    lengths = run_s_of(inputs, [run for run in made.runs if run.scenario in changed])
    more = {
        "run_s": {**earlier.run_s, **lengths},
        "user_conf": [entry.text for entry in inputs.user_conf],
    }
    return Plan({**made.document, **more}, made.runs)
