"""A qualification from request to evidence: find, prepare, probe, plan, run.

Every step leaves its result on disk before the next begins, so that a restart goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from datasets.disk.files import write_json
from datasets.disk.lock import hold
from datasets.errors import EvidenceError
from harness.begin import Begun, begin, waiting
from harness.execution import execute
from harness.host.description import system_document
from harness.job import Job
from harness.planning import plan
from harness.planning.additions import extended
from harness.planning.inputs import Inputs
from harness.planning.plan import Plan
from harness.planning.replanning import (
    decided_otherwise,
    replanned,
    require_obeyed,
    with_set_aside,
)
from harness.planning.server_rate import bench_of, find_rate, under_way
from harness.planning.survey import survey
from harness.request import Request
from harness.running import rundir
from harness.running.display import Display
from harness.running.patience import Patience
from harness.running.rundir import Evidence
from harness.spec import Scenario
from harness.stop import StopRequests

Verdict = TypeVar("Verdict")


def qualify(
    request: Request,
    display: Display,
    stop: StopRequests,
    judge: Callable[[Path], Verdict],
    as_planned: bool = False,
) -> Verdict:
    """Do everything; what ``judge`` says of the evidence folder, asked while it is still locked.

    ``as_planned`` keeps a plan that fits, whatever user.conf it was made with.
    Raises LoadproofError of the kind that fits where nothing could be measured, StoppedError after
    a signal. A run that fails is part of the evidence, not an error.
    """
    begun = begin(request, display, stop)
    evidence = Evidence(request.output / plan.evidence_id(begun.backend, begun.sources.model))
    with hold(evidence.lock, waiting(display, stop, evidence.root)):
        planned = _planned(begun, evidence, as_planned=as_planned)
        patience = Patience.of(request.stall_s, planned.stall_s)
        execute(planned, evidence, patience, display, stop)
        display.step("Auditing the evidence")
        return judge(evidence.root)


def _planned(begun: Begun, evidence: Evidence, *, as_planned: bool) -> Plan:
    """The plan of an earlier start where it still fits, or as far as it does, else a new one."""
    job = begun.job
    earlier = None if job.request.fresh else _earlier_plan(evidence)
    fitting = earlier if earlier and earlier.request == begun.plan_key else None
    if fitting:
        require_obeyed(fitting)
    changed = decided_otherwise(fitting, job.user_conf) if fitting else ()
    if fitting and (as_planned or not changed):
        return _extended(fitting, job, evidence)
    inputs = replace(survey(begun, evidence.root.name), request=begun.plan_key)
    if fitting and set(changed) < fitting.run_s.keys():
        return _extended(_replanned(fitting, inputs, changed, job, evidence), job, evidence)
    if evidence.plan.exists() and not job.request.fresh:
        job.display.note(_why_anew(earlier, job))
    if job.request.fresh or not under_way(evidence, inputs):
        rundir.set_aside(evidence.root, "Earlier evidence", job.display.note)
    made = _extended(_new_plan(inputs, job, evidence), job, evidence)
    minutes = max(1, round(plan.estimated_s(made, inputs.machine) / 60))
    job.display.note(f"Planned {len(made.runs)} runs, about {minutes} min.")
    if few := plan.seldom_repeated(made.runs, job.suite.most_repeats):
        job.display.note(
            f"{', '.join(few)}: fewer than {job.suite.most_repeats} runs each, since one takes "
            f"{job.suite.short_s:g} s or more; --repeat {job.suite.most_repeats} plans as many."
        )
    return made


def _replanned(
    earlier: Plan,
    inputs: Inputs,
    changed: tuple[Scenario, ...],
    job: Job,
    evidence: Evidence,
) -> Plan:
    """``earlier`` with the scenarios that the user.conf changes planned again."""
    job.display.note(_why_anew(earlier, job))
    of_them = [run for run in earlier.runs if run.scenario in changed]
    what = f"Earlier runs of {', '.join(changed)}"
    moved_to = rundir.set_runs_aside(evidence, of_them, what, job.display.note)
    if moved_to:
        place = moved_to.relative_to(evidence.root.parent).as_posix()
        earlier = with_set_aside(earlier, changed, place)
        plan.save_plan(earlier, evidence.plan)
    rate = _server_rate(job, replace(inputs, scenarios=changed), evidence)
    made = replanned(earlier, inputs, changed, rate)
    plan.save_plan(made, evidence.plan)
    return made


def _earlier_plan(evidence: Evidence) -> Plan | None:
    try:
        return plan.load_plan(evidence.plan)
    except EvidenceError:
        return None


def _why_anew(earlier: Plan | None, job: Job) -> str:
    """Why the plan that is there is not gone on with; None where it can't be read."""
    if earlier and list(earlier.user_conf) != [entry.text for entry in job.user_conf]:
        before = "; ".join(earlier.user_conf) or "nothing"
        return f"The earlier plan was made with another user.conf, which set {before}:"
    return "Another request, model, dataset, machine or software than before:"


def _new_plan(inputs: Inputs, job: Job, evidence: Evidence) -> Plan:
    """The suite's runs, on disk beside the description of the machine."""
    write_json(evidence.system, system_document(job.host))
    made = plan.make_plan(inputs, _server_rate(job, inputs, evidence))
    plan.save_plan(made, evidence.plan)
    return made


def _extended(planned: Plan, job: Job, evidence: Evidence) -> Plan:
    """``planned`` with what was asked for on top; once planned, it stays."""
    more, said = extended(planned, job.request)
    if len(more.runs) > len(planned.runs):
        plan.save_plan(more, evidence.plan)
    for sentence in said:
        job.display.note(sentence)
    return more


def _server_rate(job: Job, inputs: Inputs, evidence: Evidence) -> float | None:
    if "Server" not in inputs.scenarios:
        return None
    job.display.step("Looking for a Server rate")
    return find_rate(inputs, bench_of(job, inputs, evidence.search(inputs.benchmark)))
