"""What became of a run, from how its child ended and what it left: the heart of run.json."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from datasets.disk.files import read_json_or_none
from harness.running import rundir
from harness.running.empty_answers import empty_cause
from harness.running.progress import Snapshot, read_progress
from harness.spec import RunSpec


@dataclass(frozen=True)
class Ending:
    """How the child of a run ended."""

    exit_status: int
    """Below 0, the number of the signal that killed it."""
    complaint: str | None = None
    """Why it was ended as hung."""
    stopped_by: str = ""
    """The signal that ended this process's work; empty without one."""

    def outcome(self, report: Mapping[str, Any], seen: Snapshot | None) -> tuple[str, str]:
        """(outcome, cause); ``report`` is the child's own, empty where it left none."""
        if self.stopped_by:
            return "aborted", f"stopped by {self.stopped_by}"
        cause = self._broken(report)
        if not cause and seen is not None and seen.empty:
            cause = empty_cause(seen.empty, seen.completed)
        return ("failed", cause) if cause else ("finished", "")

    def _broken(self, report: Mapping[str, Any]) -> str:
        """Why the child did not come to its end; empty where it did."""
        code = self.exit_status
        if self.complaint:
            return self.complaint
        if code < 0:
            return f"the worker was killed by {signal.Signals(-code).name}"
        if code:
            return report.get("cause") or f"the worker ended with exit status {code}"
        if "streams" not in report:
            return "the worker ended in mid-run, with exit status 0 but without its report"
        return ""


def record_of(spec: RunSpec, folder: Path, ending: Ending) -> dict[str, Any]:
    """run.json, but for what only its supervisor knows: when, for which plan, what sensors read."""
    report = read_json_or_none(folder / rundir.WORKER_REPORT) or {}
    seen = read_progress(folder)
    outcome, cause = ending.outcome(report, seen)
    return {
        "schema": "loadproof/run",
        "version": 1,
        "spec": spec.document(),
        "outcome": outcome,
        "cause": cause,
        "exit_status": ending.exit_status,
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
