"""Making the runs of a plan, one after another, and keeping what becomes of them.

A run that is finished is not made again. One that was too short and nothing else is: its first
attempt is kept, the plan gets a longer run in its place, and both say so. A soak whose runs were
shorter than planned gets more of them, at once: a machine rests in a pause.
"""

from __future__ import annotations

from pathlib import Path

from audit.evidence.attempts import finished_attempts
from audit.evidence.sealing import is_as_left, seal_plan
from audit.logs.loadgen_log import DetailLog, read_detail
from audit.logs.window import measured_ns
from audit.quantities import span
from datasets.errors import EvidenceError
from harness.planning import plan
from harness.planning.lengthening import MOST_TIMES, lengthened
from harness.planning.plan import Plan, repeats_of
from harness.planning.soak import topped_up
from harness.running import rundir
from harness.running.display import Display, RunWatcher
from harness.running.patience import Patience
from harness.running.rundir import Evidence
from harness.running.supervisor import supervise
from harness.spec import RunSpec
from harness.stop import StopRequests


def execute(
    planned: Plan, evidence: Evidence, patience: Patience, display: Display, stop: StopRequests
) -> None:
    """Every run that is not finished yet; after a failure, none more of the same scenario."""
    _Execution(planned, evidence, patience, display, stop).run()


class _Execution:
    def __init__(
        self,
        planned: Plan,
        evidence: Evidence,
        patience: Patience,
        display: Display,
        stop: StopRequests,
    ) -> None:
        self._plan, self._evidence = planned, evidence
        self._patience, self._stop = patience, stop
        self._display, self._watch = display, RunWatcher(display)
        self._failed: set[str] = set()

    def run(self) -> None:
        before = sum(self._is_finished(spec) for spec in self._plan.runs)
        if before:
            self._note(f"{before} of {len(self._plan.runs)} runs are finished already.")
        index = 0
        while index < len(self._plan.runs):
            if self._settle(index):
                self._top_up(index)
            index += 1

    def _settle(self, index: int) -> bool:
        """Make the run with this index until it is long enough, failed or was tried too often;
        whether it was made at all."""
        made = not self._is_finished(self._plan.runs[index])
        if made:
            self._make(index)
        while self._was_lengthened(index):
            self._make(index)
            made = True
        return made

    def _top_up(self, index: int) -> None:
        """Add to a soak what it lacks, once the last of its runs is made."""
        spec = self._plan.runs[index]
        if spec.soak_s is None or spec.test or spec.scenario in self._failed:
            return
        own = [run for run in self._plan.runs if run.scenario == spec.scenario]
        soaking = [run for run in repeats_of(own) if run.soak_s is not None]
        if spec != soaking[-1]:
            return
        measured_s = [self._measured_s(run) for run in soaking]
        longer = topped_up(self._plan, spec.scenario, measured_s)
        added = len(longer.runs) - len(self._plan.runs)
        if added:
            self._replan(longer)
            lasted = f"{span(sum(measured_s))} of {span(spec.soak_s)}"
            self._note(f"The soak of {spec.scenario} took {lasted}; runs added to it: {added}.")

    def _measured_s(self, spec: RunSpec) -> float:
        log = self._log(self._evidence.run(spec))
        return (measured_ns(log) or 0) / 1e9 if log else 0.0

    def _replan(self, other: Plan) -> None:
        self._plan = other
        plan.save_plan(other, self._evidence.plan)

    def _make(self, index: int) -> None:
        spec = self._plan.runs[index]
        folder, title = self._evidence.run(spec), self._title(index)
        if spec.scenario in self._failed:
            self._note(f"{title}: skipped after the failure above")
            return
        attempt = 1 + rundir.keep_failed_attempt(self._evidence, folder)
        for verdict in self._evidence.verdicts:
            verdict.unlink(missing_ok=True)
        self._watch.begin(title, spec.loadgen.min_duration_ms / 1000)
        seal = seal_plan(self._plan.document, self._evidence.system)
        result = supervise(spec, folder, self._stop, self._patience, self._watch, attempt, seal)
        if not result.finished:
            self._failed.add(spec.scenario)
            self._note(f"{title}: FAILED, {result.record['cause']} ({folder})")

    def _was_lengthened(self, index: int) -> bool:
        """Whether the run was too short, so that a longer one is planned in its place."""
        spec = self._plan.runs[index]
        folder, title = self._evidence.run(spec), self._title(index)
        longer = self._longer(spec, folder)
        if longer is None:
            return False
        kept = rundir.keep_attempt(self._evidence, folder)
        self._replan(longer)
        self._note(
            f"{title}: too short on a machine faster than when it was probed; a longer run "
            f"is planned from the rate that it showed ({kept})"
        )
        return True

    def _longer(self, spec: RunSpec, folder: Path) -> Plan | None:
        record = rundir.read_record(folder) if self._is_finished(spec) else None
        if spec.mode != "performance" or record is None or not is_as_left(folder, record):
            return None
        name = str(folder.relative_to(self._evidence.root))
        log = self._log(folder)
        if log is None or len(finished_attempts(self._evidence.root, name)) >= MOST_TIMES:
            return None
        return lengthened(self._plan, spec, log, lambda run: not self._is_finished(run))

    def _log(self, folder: Path) -> DetailLog | None:
        try:
            return read_detail(folder / "mlperf_log_detail.txt")
        except EvidenceError:
            return None

    def _is_finished(self, spec: RunSpec) -> bool:
        return rundir.finished(self._evidence.run(spec), spec)

    def _note(self, text: str) -> None:
        self._display.note(text)

    def _title(self, index: int) -> str:
        return f"[{index + 1}/{len(self._plan.runs)}] {_named(self._plan.runs[index])}"


def _named(spec: RunSpec) -> str:
    if spec.mode == "accuracy":
        return f"{spec.scenario} accuracy"
    if spec.test:
        return f"{spec.scenario} {spec.test}"
    return f"{spec.scenario} performance run {spec.repeat}"
