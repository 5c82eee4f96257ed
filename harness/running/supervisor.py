"""Runs one spec in a child process, and keeps whatever comes of it.

The child may raise, hang, lose a thread, be killed or crash: the run is then FAILED with its cause
in run.json, and this process goes on. A signal to this process ends the child and leaves an aborted
run. The machine's sensors are read here, so that what is measured does not pay for it. run.json is
written last.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import IO, Any

from audit.evidence.sealing import PlanSeal, checksums
from datasets.errors import DeviceError
from harness import exits
from harness.host.sensors.sampling import Sampling
from harness.host.sensors.sources import cpu_source, gpu_sources
from harness.running import rundir
from harness.running.ending import Ending, record_of
from harness.running.environment import child_environment
from harness.running.patience import Patience
from harness.running.progress import Phase, Snapshot, read_progress
from harness.spec import RunSpec
from harness.stop import StopRequests

POLL_S = 0.05
GRACE_S = 1.0
Watcher = Callable[[Snapshot], None]


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
        with _sampling(spec, child.pid) as sampling:
            try:
                complaint = _wait(child, folder, stop, patience, _both(watch, sampling))
            finally:
                _end(child)
    record = record_of(spec, folder, Ending(child.returncode, complaint, stop.name))
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


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds")
