"""The folder of a run and of a qualification: names, and the record that is written last.

    OUT/ID/plan.json  system.json  audit.json  result.json
    OUT/ID/BENCHMARK/SCENARIO/accuracy/…            one run
    OUT/ID/BENCHMARK/SCENARIO/performance/run_N/…   one run
    OUT/ID/BENCHMARK/SCENARIO/TEST01/performance/run_1/…
                              one run of a compliance test; what the audit verifies lies beside it

A run folder without a valid run.json holds an unfinished run.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit import schema
from audit.evidence.attempts import folder_of
from audit.evidence.sealing import seal_record
from datasets.disk.files import write_json
from datasets.errors import EvidenceError, UsageError
from harness.spec import RunSpec

RUN_RECORD = "run.json"
SPEC = "spec.json"
SEARCH_RECORD = "search.json"
WORKER_LOG = "worker.log"
WORKER_REPORT = "worker.json"


@dataclass(frozen=True)
class Evidence:
    """The evidence folder of one qualification."""

    root: Path

    @property
    def plan(self) -> Path:
        return self.root / "plan.json"

    @property
    def system(self) -> Path:
        return self.root / "system.json"

    @property
    def verdicts(self) -> tuple[Path, ...]:
        """What an audit left: it no longer holds once a run is made anew."""
        return self.root / "audit.json", self.root / "result.json"

    @property
    def lock(self) -> Path:
        return self.root.parent / f".{self.root.name}.lock"

    def run(self, spec: RunSpec) -> Path:
        """The folder of the run that ``spec`` asks for."""
        scenario = self.root / spec.benchmark / spec.scenario
        if spec.test:
            scenario /= spec.test
        if spec.mode == "accuracy":
            return scenario / "accuracy"
        return scenario / "performance" / f"run_{spec.repeat}"

    def search(self, benchmark: str) -> Path:
        """The record of the search for a Server rate; its runs lie beside it."""
        return self.root / benchmark / "Server" / "probes" / SEARCH_RECORD


def kept_attempts(evidence: Evidence, folder: Path) -> int:
    """How many earlier attempts at the run in ``folder`` are kept."""
    return len(list(_attempts(evidence, folder).glob("attempt_*")))


def keep_attempt(evidence: Evidence, folder: Path) -> Path:
    """Move the run in ``folder`` among the earlier attempts; where it lies then.

    A run that passes at the third try is not the same as one that passes at once.
    """
    attempts = _attempts(evidence, folder)
    attempts.mkdir(parents=True, exist_ok=True)
    target = attempts / f"attempt_{kept_attempts(evidence, folder) + 1}"
    folder.rename(target)
    return target


def keep_failed_attempt(evidence: Evidence, folder: Path) -> int:
    """Move a failed run in ``folder`` among the attempts; how many of them there are now.

    UsageError where the record was changed since: what it says of the run can't be relied on.
    """
    record = read_record(folder)
    if record is not None and record["seal"] != seal_record(record):
        raise UsageError(
            f"{folder / RUN_RECORD} was changed since the run ended, and a new run would "
            "lose it; set the evidence aside with --fresh."
        )
    if record is not None and record["outcome"] == "failed":
        keep_attempt(evidence, folder)
    return kept_attempts(evidence, folder)


def _attempts(evidence: Evidence, folder: Path) -> Path:
    return folder_of(evidence.root, str(folder.relative_to(evidence.root)))


def start_run_folder(folder: Path, spec: RunSpec) -> None:
    """Make ``folder`` anew with the spec in it; what an unfinished run left there is removed.

    UsageError where the folder holds something else than a run.
    """
    if folder.exists():
        if any(folder.iterdir()) and not (folder / SPEC).is_file():
            raise UsageError(
                f"{folder} holds something else than a run, which would be lost; name an empty "
                "or a new folder."
            )
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    write_json(folder / SPEC, spec.document())


def write_record(folder: Path, record: Mapping[str, Any]) -> dict[str, Any]:
    """Write run.json: checked, sealed, atomic, and the last file of a run; what it holds then."""
    sealed = {**record, "seal": seal_record(record)}
    schema.require(sealed, "run", f"the record of {folder}")
    (folder / WORKER_REPORT).unlink(missing_ok=True)
    write_json(folder / RUN_RECORD, sealed)
    return sealed


def read_record(folder: Path) -> dict[str, Any] | None:
    """The record of a run, or None where there is none that can be read."""
    try:
        record: dict[str, Any] = schema.read(folder / RUN_RECORD, "run")
    except EvidenceError:
        return None
    return record


def finished(folder: Path, spec: RunSpec) -> bool:
    """Whether the run that ``spec`` asks for is there and ended by itself."""
    record = read_record(folder)
    return (
        record is not None and record["outcome"] == "finished" and record["spec"] == spec.document()
    )


def set_aside(root: Path, what: str, note: Callable[[str], None]) -> None:
    """Move an evidence folder out of the way, beside itself, and say so of ``what`` it holds.
    Nothing happens where there is none."""
    if not root.exists():
        return
    target = _previous(root)
    target.parent.mkdir(parents=True, exist_ok=True)
    root.rename(target)
    note(f"{what} was moved to {target}.")


def set_runs_aside(
    evidence: Evidence, runs: Iterable[RunSpec], what: str, note: Callable[[str], None]
) -> Path | None:
    """Move ``runs`` and the earlier attempts at them out of the way, and say so of ``what`` they
    are. Where they lie then; None, and nothing happens, where there are none."""
    target, moved = _previous(evidence.root), False
    for folder in (evidence.run(spec) for spec in runs):
        for there in (folder, _attempts(evidence, folder)):
            if there.exists():
                aside = target / there.relative_to(evidence.root)
                aside.parent.mkdir(parents=True, exist_ok=True)
                there.rename(aside)
                moved = True
    if moved:
        note(f"{what} were moved to {target}.")
    return target if moved else None


def _previous(root: Path) -> Path:
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    return root.parent / ".previous" / f"{root.name}-{stamp}-{os.getpid()}"
