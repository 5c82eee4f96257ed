"""A qualification from request to evidence: find, prepare, probe, plan, run.

Every step leaves its result on disk before the next begins, so that a restart goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from datasets.errors import EvidenceError
from datasets.files import write_json
from datasets.lock import hold
from harness.begin import begin, plan_key, waiting
from harness.execution import execute
from harness.host.description import system_document
from harness.planning import plan
from harness.planning.additions import extended
from harness.planning.inputs import Inputs
from harness.planning.plan import Plan
from harness.planning.server_rate import bench_of, find_rate, under_way
from harness.planning.survey import Session, survey
from harness.report.live import Display
from harness.request import Request
from harness.running import rundir
from harness.running.patience import Patience
from harness.running.rundir import Evidence
from harness.sources import Sources
from harness.spec import BackendSpec
from harness.stop import StopRequests

Verdict = TypeVar("Verdict")


def qualify(
    request: Request, display: Display, stop: StopRequests, judge: Callable[[Path], Verdict]
) -> Verdict:
    """Do everything; what ``judge`` says of the evidence folder, asked while it is still locked.

    Raises LoadproofError of the kind that fits where nothing could be measured, StoppedError after
    a signal. A run that fails is part of the evidence, not an error.
    """
    begun = begin(request, display, stop)
    session, sources, backend = begun.session, begun.sources, begun.backend
    evidence = Evidence(request.output / plan.evidence_id(backend, sources.model))
    with hold(evidence.lock, waiting(display, stop, evidence.root)):
        planned = _planned(session, sources, backend, evidence)
        patience = Patience.of(request.stall_s, planned.stall_s)
        execute(planned, evidence, patience, display, stop)
        display.step("Auditing the evidence")
        return judge(evidence.root)


def _set_aside(evidence: Evidence, display: Display) -> None:
    moved = rundir.set_aside(evidence.root)
    if moved:
        display.note(f"Earlier evidence was moved to {moved}.")


def _planned(session: Session, sources: Sources, backend: BackendSpec, evidence: Evidence) -> Plan:
    """The plan of an earlier start where it still fits, else a new one."""
    key = plan_key(session, sources)
    kept = None if session.request.fresh else _kept_plan(evidence, key)
    if kept is not None:
        return _extended(kept, session, evidence)
    inputs = survey(session, sources, backend, evidence.root.name, key)
    if evidence.plan.exists() and not session.request.fresh:
        session.display.note(_why_anew(evidence, session))
    if session.request.fresh or not under_way(evidence, inputs):
        _set_aside(evidence, session.display)
    write_json(evidence.system, system_document(session.host))
    untested = plan.make_plan(inputs, _server_rate(session, inputs, evidence))
    plan.save_plan(untested, evidence.plan)
    made = _extended(untested, session, evidence)
    seconds = plan.estimated_s(made, inputs.machine)
    session.display.note(f"Planned {len(made.runs)} runs, about {max(1, round(seconds / 60))} min.")
    return made


def _kept_plan(evidence: Evidence, key: str) -> Plan | None:
    found = _earlier_plan(evidence)
    return found if found and found.request == key else None


def _earlier_plan(evidence: Evidence) -> Plan | None:
    try:
        return plan.load_plan(evidence.plan)
    except EvidenceError:
        return None


def _why_anew(evidence: Evidence, session: Session) -> str:
    """Why the plan that is there is not gone on with."""
    found = _earlier_plan(evidence)
    if found and list(found.user_conf) != [entry.text for entry in session.user_conf]:
        before = "; ".join(found.user_conf) or "nothing"
        return f"The earlier plan was made with another user.conf, which set {before}:"
    return "Another request, model, dataset, machine or software than before:"


def _extended(planned: Plan, session: Session, evidence: Evidence) -> Plan:
    """``planned`` with what was asked for on top; once planned, it stays."""
    more, said = extended(planned, session.request)
    if len(more.runs) > len(planned.runs):
        plan.save_plan(more, evidence.plan)
    for sentence in said:
        session.display.note(sentence)
    return more


def _server_rate(session: Session, inputs: Inputs, evidence: Evidence) -> float | None:
    if "Server" not in inputs.scenarios:
        return None
    session.display.step("Looking for a Server rate")
    return find_rate(inputs, bench_of(session, inputs, evidence.search(inputs.benchmark)))
