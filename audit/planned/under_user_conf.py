"""What a plan says of the user's own user.conf, held to the runs that are planned.

No seal covers it, since a plan may be gone on with under another one. What it says must be in the
specs, and a scenario that was measured again for it is named: nobody rerolls one unseen.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.findings import Finding, finding
from audit.planned.asked import Asked
from audit.planned.plan import PLAN, Plan
from audit.userconf import Entry, settings_for, understood


def not_obeyed(plan: Plan) -> Iterator[Finding]:
    """An error for each run that was not told what the plan's user.conf decides about it."""
    entries, wrong = understood(enumerate(plan.document["user_conf"], 1))
    for found in wrong.values():
        yield finding("plan.user_conf_unreadable", PLAN, found=found)
    for run in plan.runs:
        yield from _otherwise(run, entries)


def _otherwise(run: Asked, entries: tuple[Entry, ...]) -> Iterator[Finding]:
    told = run.document["loadgen"]
    for key, value in settings_for(entries, run.benchmark, run.scenario).items():
        if told[key] != value:
            found = "nothing" if told[key] is None else f"{told[key]:.12g}"
            yield finding(
                "plan.user_conf",
                PLAN,
                found=found,
                expected=f"{value:.12g}",
                key=key,
                run=run.folder,
            )


def measured_again(plan: Plan) -> Iterator[Finding]:
    """A warning for each scenario whose runs were set aside and made again."""
    for scenario in dict.fromkeys(entry["scenario"] for entry in plan.set_aside):
        own = [entry for entry in plan.set_aside if entry["scenario"] == scenario]
        places = ", ".join(dict.fromkeys(entry["moved_to"] for entry in own))
        yield finding("plan.measured_again", PLAN, found=len(own), scenario=scenario, places=places)
