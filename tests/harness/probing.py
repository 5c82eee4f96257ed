"""Where the tests of a search do its runs, and what stands for the device."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from audit.evidence.sealing import checksums
from harness.running import rundir
from harness.running.display import RunWatcher
from harness.running.patience import Patience
from harness.running.supervisor import RunResult
from harness.spec import RunSpec
from harness.stop import StopRequests
from harness.tuning.rate_search import Bench
from tests.audit.written_evidence import record
from tests.audit.written_logs import performance, write_detail
from tests.harness.displays import Heard

LIMIT_QPS = 700.0


@dataclass
class Runs:
    """Stands for the supervisor: a device that is never late below a limit; ``stop_at`` raises."""

    limit_qps: float = LIMIT_QPS
    stop_at: int = 0
    cause: str = ""
    asked: list[RunSpec] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)

    def __call__(self, spec: RunSpec, folder: Path, *_: Any) -> RunResult:
        self.asked.append(spec)
        self.folders.append(folder)
        rundir.start_run_folder(folder, spec)
        if len(self.asked) == self.stop_at:
            raise InterruptedError
        if self.cause:
            return _left(spec, folder, self.cause)
        rate = spec.loadgen.target_qps or 0.0
        held = rate < self.limit_qps
        log = performance(
            "Server",
            result_validity="VALID" if held else "INVALID",
            result_query_count=20_000,
            result_overlatency_query_count=0 if held else 15_000,
            result_scheduled_samples_per_sec=rate * 1.001,
        )
        write_detail(folder / "mlperf_log_detail.txt", log)
        return _left(spec, folder)


def _left(spec: RunSpec, folder: Path, cause: str = "") -> RunResult:
    """A run with its record, as the supervisor leaves it."""
    outcome = {"outcome": "failed", "cause": cause} if cause else {}
    made = {**record(spec.document()), **outcome, "files": checksums(folder)}
    return RunResult(folder, rundir.write_record(folder, made))


def bench(folder: Path) -> Bench:
    return Bench(
        folder / "probes/search.json", 2500, StopRequests(), Patience(), RunWatcher(Heard())
    )
