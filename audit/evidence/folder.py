"""The evidence folder of a qualification, read without judging.

    ID/plan.json  system.json
    ID/BENCHMARK/SCENARIO/{accuracy, performance/run_N}/{run.json, LoadGen's logs}
    ID/BENCHMARK/SCENARIO/{TEST01, TEST04}/performance/run_1/{run.json, LoadGen's logs}

Whatever can't be read becomes a finding and the rest is read on: one bad file hides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit import schema
from audit.evidence.attempts import ATTEMPTS, Attempt, kept_attempts
from audit.evidence.sealing import PlanSeal
from audit.findings import Finding, finding
from audit.logs.loadgen_log import DetailLog, read_detail
from audit.planned.asked import Asked
from audit.planned.plan import PLAN, Plan, plan_from
from datasets.errors import EvidenceError

SYSTEM = "system.json"
RUN = "run.json"
DETAIL = "mlperf_log_detail.txt"
ACCURACY = "mlperf_log_accuracy.json"

_NOT_EVIDENCE = {"probes", ATTEMPTS}
"""Short runs that looked for a rate, and attempts before the one that counts: neither is part of
the plan."""


@dataclass(frozen=True)
class Samples:
    """What became of the samples of a run."""

    issued: int
    completed: int
    failed: int
    empty: int


@dataclass(frozen=True)
class Record:
    """What the harness says happened in a run."""

    outcome: str
    """``finished``, ``failed`` or ``aborted``."""
    cause: str
    samples: Samples
    files: Mapping[str, str]
    """SHA-256 of what the run left, by the name of the file."""
    plan: PlanSeal | None
    """None where the run was made by itself."""
    document: Mapping[str, Any]


@dataclass(frozen=True)
class Run:
    """Everything that one planned run left."""

    asked: Asked
    name: str
    """Its folder, relative to the evidence folder; findings name it so."""
    folder: Path
    record: Record | None
    log: DetailLog | None
    findings: tuple[Finding, ...]
    earlier: tuple[Attempt, ...] = ()
    """Attempts before this one that ended by themselves."""


@dataclass(frozen=True)
class Evidence:
    """One qualification."""

    folder: Path
    plan: Plan | None
    system: Mapping[str, Any] | None
    runs: tuple[Run, ...]
    findings: tuple[Finding, ...]
    """About the folder as a whole."""


def read_evidence(folder: Path) -> Evidence:
    """Read the evidence in ``folder``. Never raises for what stands in it."""
    findings: list[Finding] = []
    plan = _read_plan(folder, findings)
    system = _read_system(folder, findings)
    runs = tuple(_read_run(folder, asked) for asked in plan.runs) if plan else ()
    findings += _stray_runs(folder, {run.name for run in runs})
    return Evidence(folder, plan, system, runs, tuple(findings))


def _read_plan(folder: Path, findings: list[Finding]) -> Plan | None:
    try:
        return plan_from(schema.read(folder / PLAN, "plan"))
    except EvidenceError as error:
        findings.append(finding("evidence.unreadable", PLAN, reason=error))
        findings.append(finding("evidence.no_plan", folder.name))
        return None


def _read_system(folder: Path, findings: list[Finding]) -> Mapping[str, Any] | None:
    try:
        system: Mapping[str, Any] = schema.read(folder / SYSTEM, "system")
    except EvidenceError as error:
        findings.append(finding("evidence.no_system", SYSTEM, reason=error))
        return None
    return system


def _read_run(root: Path, asked: Asked) -> Run:
    name = str(asked.folder)
    folder = root / asked.folder
    findings: list[Finding] = []
    record = _read_record(folder, name, findings)
    log = _read_log(folder, name, record, findings)
    if record is not None:
        findings += _other_spec(record, asked, name)
    earlier = kept_attempts(root, name)
    return Run(asked, name, folder, record, log, tuple(findings), earlier)


def _read_record(folder: Path, name: str, findings: list[Finding]) -> Record | None:
    if not (folder / RUN).exists():
        findings.append(finding("run.missing", name))
        return None
    try:
        document = schema.read(folder / RUN, "run")
    except EvidenceError as error:
        findings.append(finding("evidence.unreadable", f"{name}/{RUN}", reason=error))
        return None
    return Record(
        outcome=document["outcome"],
        cause=document["cause"],
        samples=Samples(**document["samples"]),
        files=document["files"],
        plan=PlanSeal(**document["plan"]) if document["plan"] else None,
        document=document,
    )


def _read_log(
    folder: Path, name: str, record: Record | None, findings: list[Finding]
) -> DetailLog | None:
    where = f"{name}/{DETAIL}"
    if record is None or not (folder / DETAIL).exists():
        return None
    try:
        return read_detail(folder / DETAIL, where)
    except EvidenceError as error:
        findings.append(finding("evidence.unreadable", where, reason=error))
        return None


def _other_spec(record: Record, asked: Asked, name: str) -> Iterator[Finding]:
    ran = record.document["spec"]
    changed = sorted(key for key in asked.document if ran.get(key) != asked.document[key])
    if changed:
        yield finding("run.other_spec", name, found=f"{', '.join(changed)} differ(s)")


def _stray_runs(folder: Path, planned: set[str]) -> Iterator[Finding]:
    for record in sorted(folder.glob(f"*/*/**/{RUN}")):
        name = record.parent.relative_to(folder)
        if str(name) not in planned and _NOT_EVIDENCE.isdisjoint(name.parts):
            yield finding("evidence.stray", str(name))
