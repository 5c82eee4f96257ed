"""Making the runs of a plan: what is made again, how often, and what is kept of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from audit.evidence.sealing import PlanSeal, checksums
from datasets.errors import UsageError
from harness import execution
from harness.execution import execute
from harness.planning.additions import with_tests
from harness.planning.plan import Plan, load_plan, make_plan, save_plan
from harness.planning.soak import with_soak
from harness.running import rundir
from harness.running.patience import Patience
from harness.running.rundir import Evidence
from harness.running.supervisor import RunResult, Watcher
from harness.spec import RunSpec
from harness.stop import StopRequests
from tests.audit.written_logs import accuracy, performance, write_detail
from tests.harness.displays import Heard
from tests.harness.plans import inputs

Entries = dict[str, Any]
SHORT: Entries = {"result_validity": "INVALID", "result_min_duration_met": False}


class Machine:
    """Leaves runs as a supervisor does; ``shows`` says what the log of each has."""

    def __init__(self, shows: Callable[[RunSpec], Entries]) -> None:
        self.shows = shows
        self.made: list[RunSpec] = []

    def __call__(
        self,
        spec: RunSpec,
        folder: Path,
        stop: StopRequests,
        patience: Patience,
        watch: Watcher,
        attempt: int,
        plan: PlanSeal,
    ) -> RunResult:
        self.made.append(spec)
        rundir.start_run_folder(folder, spec)
        make = accuracy if spec.mode == "accuracy" else performance
        shown = {} if spec.mode == "accuracy" else self.shows(spec)
        write_detail(folder / "mlperf_log_detail.txt", make(spec.scenario, **shown))
        record = {
            "schema": "loadproof/run",
            "version": 1,
            "spec": spec.document(),
            "outcome": "finished",
            "cause": "",
            "exit_status": 0,
            "samples": dict.fromkeys(("issued", "completed", "failed", "empty"), 0),
            "device_used": "",
            "software": {},
            "facts": {},
            "resources": {"peak_rss_bytes": 0, "cpu_seconds": 0.0, "wall_seconds": 1.0},
            "streams": None,
            "completions": None,
            "started": "2026-01-01T00:00:00.000+00:00",
            "ended": "2026-01-01T00:00:01.000+00:00",
            "attempt": attempt,
            "files": checksums(folder),
            "plan": vars(plan),
        }
        return RunResult(folder, rundir.write_record(folder, record))


def _executed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    shows: Callable[[RunSpec], Entries],
    planned: Plan | None = None,
) -> tuple[Evidence, Machine, Heard]:
    evidence, machine, heard = Evidence(tmp_path / "an-id"), Machine(shows), Heard()
    monkeypatch.setattr(execution, "supervise", machine)
    if planned is None:
        planned = make_plan(inputs(scenarios=("Offline",)), None)
        save_plan(planned, evidence.plan)
    execute(planned, evidence, Patience(), heard, StopRequests())
    return evidence, machine, heard


def _faster(rate: float) -> Callable[[RunSpec], Entries]:
    """A machine that answers ``rate`` samples a second in Offline: too short where LoadGen was told
    to expect fewer."""

    def shows(spec: RunSpec) -> Entries:
        short = rate > 1.1 * (spec.loadgen.target_qps or 0.0)
        return {"result_samples_per_second": rate, **(SHORT if short else {})}

    return shows


def test_a_machine_faster_than_its_probe_is_measured_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evidence, machine, heard = _executed(tmp_path, monkeypatch, _faster(9000.0))
    plan = load_plan(evidence.plan)
    assert len(machine.made) == len(plan.runs) + 1
    assert [run.loadgen.target_qps for run in machine.made[2:]] == [18_000.0] * len(plan.runs[1:])
    for run in plan.runs:
        assert rundir.finished(evidence.run(run), run)
    (note,) = [note for note in heard.notes if "too short" in note]
    assert note.startswith("[2/6] Offline performance run 1: too short")
    kept = evidence.root / "attempts/resnet50/Offline/performance/run_1/attempt_1"
    assert note.endswith(f"({kept})")
    assert rundir.finished(kept, machine.made[1])
    record = rundir.read_record(evidence.run(plan.runs[1]))
    assert record is not None
    assert record["attempt"] == 2


def test_a_run_is_planned_again_only_so_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates = iter(10.0**power for power in range(4, 30))

    def ever_faster(_: RunSpec) -> Entries:
        return {"result_samples_per_second": next(rates), **SHORT}

    evidence, machine, heard = _executed(tmp_path, monkeypatch, ever_faster)
    runs = len(load_plan(evidence.plan).runs) - 1
    assert len(machine.made) == 1 + 3 * runs
    assert sum("too short" in note for note in heard.notes) == 2 * runs
    again = Machine(ever_faster)
    monkeypatch.setattr(execution, "supervise", again)
    execute(load_plan(evidence.plan), evidence, Patience(), Heard(), StopRequests())
    assert again.made == []


@pytest.mark.parametrize(
    "bad",
    [
        {"result_validity": "INVALID", "early_stopping_met": False},
        {**SHORT, "result_min_queries_met": False},
    ],
)
def test_a_run_that_is_invalid_for_more_than_its_length_is_not_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bad: Entries
) -> None:
    evidence, machine, heard = _executed(tmp_path, monkeypatch, lambda _: bad)
    assert len(machine.made) == len(load_plan(evidence.plan).runs)
    assert heard.notes == []
    assert not (evidence.root / "attempts").exists()


def test_a_log_that_was_edited_since_does_not_have_its_run_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evidence, _, _ = _executed(tmp_path, monkeypatch, lambda _: {})
    plan = load_plan(evidence.plan)
    for run in plan.runs:
        if run.mode == "performance":
            log = evidence.run(run) / "mlperf_log_detail.txt"
            write_detail(log, performance("Offline", **SHORT))
    _, again, _ = _executed(tmp_path, monkeypatch, lambda _: {}, plan)
    assert again.made == []


def test_too_short_runs_of_an_earlier_start_are_made_again_and_the_others_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execution, "MOST_TIMES", 0)
    evidence, _, _ = _executed(tmp_path, monkeypatch, _faster(9000.0))
    monkeypatch.setattr(execution, "MOST_TIMES", 2)
    for verdict in evidence.verdicts:
        verdict.write_text("{}")
    before = load_plan(evidence.plan)
    _, machine, heard = _executed(tmp_path, monkeypatch, _faster(9000.0), before)
    assert [run.mode for run in machine.made] == ["performance"] * (len(before.runs) - 1)
    assert heard.notes[0] == "6 of 6 runs are finished already."
    assert not any(verdict.exists() for verdict in evidence.verdicts)


def test_a_soak_of_runs_shorter_than_planned_is_topped_up_in_one_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned = with_tests(with_soak(make_plan(inputs(scenarios=("Offline",)), None), 1500.0))
    planned = Plan(planned.document, (*planned.runs[:8], *planned.runs[-2:]))
    save_plan(planned.with_runs(planned.runs), tmp_path / "an-id/plan.json")
    evidence, machine, heard = _executed(tmp_path, monkeypatch, _long, planned)
    soaking = [run for run in machine.made if run.soak_s]
    assert [run.repeat for run in soaking] == [6, 7, 8]
    assert machine.made[-2:] == list(planned.runs[-2:])
    assert load_plan(evidence.plan).runs == tuple(machine.made)
    assert "The soak of Offline took 20.1 min of 25 min; runs added to it: 1." in heard.notes
    _, again, _ = _executed(tmp_path, monkeypatch, _long, load_plan(evidence.plan))
    assert again.made == []


def _long(_: RunSpec) -> Entries:
    """Ten minutes and three seconds, as the log's own marks have it."""
    return {}


@pytest.mark.parametrize("cut", [False, True])
def test_a_record_that_was_changed_is_not_replaced_but_one_that_was_cut_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, cut: bool
) -> None:
    evidence, machine, _ = _executed(tmp_path, monkeypatch, lambda _: {})
    plan = load_plan(evidence.plan)
    record = evidence.run(plan.runs[1]) / rundir.RUN_RECORD
    text = record.read_text()
    edited = text.replace('"outcome": "finished"', '"outcome": "failed"')
    assert edited != text
    record.write_text(text[:40] if cut else edited)
    machine.made.clear()
    if cut:
        execute(plan, evidence, Patience(), Heard(), StopRequests())
        assert machine.made == [plan.runs[1]]
        return
    with pytest.raises(UsageError, match=r"run\.json was changed since the run ended.*--fresh"):
        execute(plan, evidence, Patience(), Heard(), StopRequests())
    assert (machine.made, record.read_text()) == ([], edited)
