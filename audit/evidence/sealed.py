"""Whether the evidence is still what the runs left: checksums of files, plan and machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from audit.compliance_tests import compliance_test
from audit.evidence.folder import ACCURACY, DETAIL, RUN, SYSTEM, Evidence, Run
from audit.evidence.sealing import PlanSeal, seal_record, sha256_without
from audit.findings import Finding, finding
from audit.planned.plan import PLAN, Plan
from audit.regular_file import sha256_or_none

_ALWAYS = ("spec.json", "user.conf", "mlperf_log_summary.txt", DETAIL)


def changed_record(run: Run) -> Iterator[Finding]:
    """An error where the record of a run is not as it was written."""
    if run.record and run.record.document["seal"] != seal_record(run.record.document):
        yield finding("record.changed", f"{run.name}/{RUN}")


def changed_files(run: Run) -> Iterator[Finding]:
    """An error for each file that is gone, was changed, or has no checksum in the record."""
    if run.record is None:
        return
    recorded = run.record.files
    due = _due(run) if run.record.outcome == "finished" else set()
    for name in sorted(due | recorded.keys()):
        where, path = f"{run.name}/{name}", run.folder / name
        if not path.exists():
            yield finding("evidence.missing_file", where)
        elif name not in recorded:
            yield finding("evidence.unsealed", where)
        elif sha256_or_none(path) != recorded[name]:
            yield finding("evidence.changed", where)


def _due(run: Run) -> set[str]:
    """The files that a finished run leaves."""
    test = run.asked.test
    answers = run.asked.mode == "accuracy" or (test and compliance_test(test).compares_answers)
    return {*_ALWAYS, *((ACCURACY,) if answers else ())}


def changed_plan(evidence: Evidence) -> Iterator[Finding]:
    """An error where runs were made under another plan, under a longer one, or elsewhere."""
    if evidence.plan is None:
        return
    seals = [(run.name, run.record.plan) for run in evidence.runs if run.record]
    yield from _none([name for name, one in seals if one is None])
    known = [(name, one) for name, one in seals if one is not None]
    yield from _other_plan(known, evidence.plan)
    system = sha256_or_none(evidence.folder / SYSTEM)
    elsewhere = [name for name, one in known if one.system_sha256 != system]
    if elsewhere:
        yield finding("evidence.other_system", SYSTEM, found=len(elsewhere), run=elsewhere[0])


def _none(single: list[str]) -> Iterator[Finding]:
    if single:
        yield finding("plan.foreign_run", single[0], found=len(single))


def _other_plan(known: list[tuple[str, PlanSeal]], plan: Plan) -> Iterator[Finding]:
    other = [
        name for name, one in known if one.sha256 != sha256_without(plan.document, one.without)
    ]
    if other:
        yield finding("plan.changed", PLAN, found=len(other), run=other[0])
    longest = max((one.runs for _, one in known), default=0)
    if longest > len(plan.runs):
        yield finding("plan.shorter", PLAN, found=len(plan.runs), expected=longest)
    yield from _forgotten(known, plan)


def _forgotten(known: list[tuple[str, PlanSeal]], plan: Plan) -> Iterator[Finding]:
    """An error where the plan no longer says what was set aside before a run was made."""
    stated = list(plan.set_aside)
    other = [name for name, one in known if stated[: len(one.set_aside)] != list(one.set_aside)]
    if other:
        yield finding("plan.forgotten", PLAN, found=len(other), run=other[0])


def same_logs(runs: Iterable[Run]) -> Iterator[Finding]:
    """An error for each run whose detail log, with its clock times, is byte for byte another's."""
    first: dict[str, str] = {}
    for run in runs:
        digest = sha256_or_none(Path(run.folder / DETAIL))
        if digest is None:
            continue
        if digest in first:
            yield finding("evidence.same_log", f"{run.name}/{DETAIL}", expected=first[digest])
        first.setdefault(digest, run.name)
