"""Runs one spec in a child process, and keeps whatever comes of it.

The child may raise, hang, lose a thread, be killed or crash: the run is then FAILED with its cause
in run.json, and this process goes on. A signal to this process ends the child and leaves an aborted
run. The machine's sensors are read here, so that what is measured does not pay for it. run.json is
written last.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import IO, Any

from audit.sealing import PlanSeal, checksums
from datasets.errors import DeviceError
from datasets.files import read_json_or_none
from harness import exits
from harness.host.sensors.sampling import Sampling
from harness.host.sensors.sources import cpu_source, gpu_sources
from harness.running import rundir
from harness.running.empty_answers import empty_cause
from harness.running.environment import child_environment
from harness.running.progress import Phase, Snapshot, read_progress
from harness.spec import RunSpec
from harness.stop import StopRequests

POLL_S = 0.05
GRACE_S = 1.0
OTHER_WAITS_LEAST_S = 60.0
Watcher = Callable[[Snapshot], None]


@dataclass(frozen=True)
class Patience:
    """How long the supervisor waits before it calls a run hung."""

    stall_s: float = 60.0
    """Without a completion while samples are outstanding."""
    start_s: float = 600.0
    """From the start of the child to the first query."""
    idle_s: float = 600.0
    """Without anything at all: between queries, or while LoadGen writes its logs."""

    @staticmethod
    def of(asked_s: float | None, usual_s: float) -> Patience:
        """With the stall that was asked for, which shortens the other waits too: to no less than a
        minute, since opening a model and the pause between two queries take their time."""
        if asked_s is None:
            return Patience(stall_s=usual_s)
        other_s = max(asked_s, OTHER_WAITS_LEAST_S)
        return Patience(stall_s=asked_s, start_s=other_s, idle_s=other_s)

    def complaint(self, seen: Snapshot | None, now_ns: int, started_ns: int) -> str | None:
        """Why the run is hung, or None while it is not. Pure: times of the monotonic clock."""
        if seen is None or seen.phase < Phase.RUNNING:
            if now_ns - started_ns > self.start_s * 1e9:
                return f"the run did not start within {self.start_s:g} s"
            return None
        quiet_s = (now_ns - seen.last_ns) / 1e9
        outstanding = seen.issued - seen.completed
        if outstanding and quiet_s > self.stall_s:
            return (
                f"no sample completed for {self.stall_s:g} s, with {outstanding} outstanding "
                f"and {seen.completed} completed"
            )
        if quiet_s > self.idle_s:
            return f"nothing happened for {self.idle_s:g} s after {seen.completed} samples"
        return None


@dataclass(frozen=True)
class RunResult:
    """What became of a run: its folder and the record in it."""

    folder: Path
    record: dict[str, Any]

    @property
    def finished(self) -> bool:
        return bool(self.record["outcome"] == "finished")


def supervise(
    spec: RunSpec,
    folder: Path,
    stop: StopRequests,
    patience: Patience,
    watch: Watcher = lambda _: None,
    attempt: int = 1,
    plan: PlanSeal | None = None,
) -> RunResult:
    """Run ``spec`` in ``folder`` to its end, whatever that is; ``attempt`` counts from 1.

    ``plan`` is the one that the run is part of; None for a single run.

    Raises DeviceError where the child could not get the device asked for, StoppedError after a
    signal; run.json is written in every case.
    """
    rundir.start_run_folder(folder, spec)
    started, began = _now(), time.monotonic()
    with (folder / rundir.WORKER_LOG).open("wb") as log:
        child = _started(folder, log)
        sampling = _sampling(spec, child.pid)
        try:
            complaint = _wait(child, folder, stop, patience, _both(watch, sampling))
        finally:
            sampling.end()
            _end(child)
    record = _record(spec, folder, child.returncode, complaint, stop)
    record |= {"started": started, "ended": _now(), "attempt": attempt}
    record |= {"files": checksums(folder), "plan": asdict(plan) if plan else None}
    record["resources"]["wall_seconds"] = round(time.monotonic() - began, 3)
    record["sensors"] = sampling.document()
    record = rundir.write_record(folder, record)
    if stop.requested:
        raise exits.StoppedError(f"Stopped by {stop.name}; {folder} is marked as aborted.")
    if child.returncode == exits.DEVICE:
        raise DeviceError(record["cause"])
    return RunResult(folder, record)


def _started(folder: Path, log: IO[bytes]) -> subprocess.Popen[bytes]:
    worker = [sys.executable, "-m", "harness.running.worker", str(folder.resolve())]
    return subprocess.Popen(
        [*worker, str(os.getpid())],
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        cwd=folder,
        env=child_environment(),
    )


def _sampling(spec: RunSpec, worker: int) -> Sampling:
    backend = spec.backend
    return Sampling([cpu_source(worker), *gpu_sources(backend.device, backend.devices)])


def _both(watch: Watcher, sampling: Sampling) -> Watcher:
    def watched(seen: Snapshot) -> None:
        sampling.follow(seen.phase is Phase.RUNNING)
        watch(seen)

    return watched


def _wait(
    child: subprocess.Popen[bytes],
    folder: Path,
    stop: StopRequests,
    patience: Patience,
    watch: Watcher,
) -> str | None:
    """Until the child ends, a signal comes, or patience does: the complaint in the last case."""
    started_ns = time.monotonic_ns()
    while child.poll() is None and not stop.requested:
        seen = read_progress(folder)
        if seen is not None:
            watch(seen)
        complaint = patience.complaint(seen, time.monotonic_ns(), started_ns)
        if complaint:
            return complaint
        try:
            child.wait(POLL_S)
        except subprocess.TimeoutExpired:
            continue
    return None


def _end(child: subprocess.Popen[bytes]) -> None:
    """End the child: ask, wait a moment, then insist."""
    for ask in (child.terminate, child.kill):
        if child.poll() is None:
            ask()
            try:
                child.wait(GRACE_S)
            except subprocess.TimeoutExpired:
                continue
    child.wait()


def _record(
    spec: RunSpec, folder: Path, code: int, complaint: str | None, stop: StopRequests
) -> dict[str, Any]:
    report = read_json_or_none(folder / rundir.WORKER_REPORT) or {}
    seen = read_progress(folder)
    outcome, cause = _outcome(code, complaint, stop, report, seen)
    return {
        "schema": "loadproof/run",
        "version": 1,
        "spec": spec.document(),
        "outcome": outcome,
        "cause": cause,
        "exit_status": code,
        "samples": {
            name: getattr(seen, name, 0) for name in ("issued", "completed", "failed", "empty")
        },
        "device_used": report.get("device_used", ""),
        "software": report.get("software", {}),
        "facts": report.get("facts", {}),
        "resources": {
            "peak_rss_bytes": report.get("peak_rss_bytes", 0),
            "cpu_seconds": round(report.get("cpu_seconds", 0.0), 3),
        },
        "streams": report.get("streams"),
        "completions": report.get("completions"),
    }


def _outcome(
    code: int,
    complaint: str | None,
    stop: StopRequests,
    report: dict[str, Any],
    seen: Snapshot | None,
) -> tuple[str, str]:
    """(outcome, cause) of a run, from how the child ended and what it left."""
    if stop.requested:
        return "aborted", f"stopped by {stop.name}"
    if complaint:
        return "failed", complaint
    if code < 0:
        return "failed", f"the worker was killed by {signal.Signals(-code).name}"
    if code:
        return "failed", report.get("cause") or f"the worker ended with exit status {code}"
    if "streams" not in report:
        return "failed", "the worker ended in mid-run, with exit status 0 but without its report"
    if seen is not None and seen.empty:
        return "failed", empty_cause(seen.empty, seen.completed)
    return "finished", ""


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds")
