"""Whatever a run does to itself, its parent goes on and says what happened."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from audit.logs.accuracy_log import read_accuracy_log
from audit.logs.loadgen_log import read_detail
from audit.rules import load_round
from datasets.disk.cache import default_cache
from datasets.samples.simulated import labels
from harness.exits import StoppedError
from harness.host.sensors.reading import Sensor, Source
from harness.running import rundir, supervisor
from harness.running.ending import Ending
from harness.running.patience import Patience
from harness.running.progress import Snapshot, read_progress
from harness.running.supervisor import RunResult, supervise
from harness.spec import SCENARIOS, RunSpec, Scenario, spec_from
from harness.stop import StopRequests
from tests.harness.specs import SAMPLES, simulated_spec

QUICK = Patience(stall_s=1.5, start_s=60, idle_s=5)


def _run(spec: RunSpec, folder: Path) -> RunResult:
    return supervise(spec, folder, StopRequests(), QUICK)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_each_scenario_runs_as_the_spec_and_the_round_say(
    tmp_path: Path, scenario: Scenario
) -> None:
    spec = simulated_spec(default_cache(), scenario)
    result = _run(spec, tmp_path / "run")
    assert (result.record["outcome"], result.record["cause"]) == ("finished", "")
    log = read_detail(result.folder / "mlperf_log_detail.txt")
    seeds = load_round("v6.1").seeds
    assert log.value("effective_qsl_rng_seed") == seeds.qsl_rng_seed
    assert log.value("effective_schedule_rng_seed") == seeds.schedule_rng_seed
    assert log.value("qsl_reported_total_count") == SAMPLES
    assert log.value("effective_performance_sample_count") == SAMPLES
    assert log.value("result_validity") == "VALID"
    assert log.errors == ()
    counted = result.record["samples"]
    assert counted["issued"] == counted["completed"] == result.record["streams"]["samples"]
    assert sum(result.record["streams"]["queue_waits"].values()) == counted["completed"]
    assert result.record["streams"]["predict_s"] > 0
    assert result.record["device_used"]


def test_a_folder_may_have_a_name_that_is_no_text(tmp_path: Path) -> None:
    result = _run(simulated_spec(default_cache()), tmp_path / os.fsdecode(b"a [b] caf\xe9"))
    assert (result.record["outcome"], result.record["cause"]) == ("finished", "")
    assert read_detail(result.folder / "mlperf_log_detail.txt").value("result_validity") == "VALID"


def test_the_record_tells_what_the_machine_did_meanwhile(tmp_path: Path) -> None:
    result = _run(simulated_spec(default_cache(), min_duration_ms=1200), tmp_path / "run")
    sensors = result.record["sensors"]
    assert sensors["failed"] == []
    assert sensors["cpu"]["readings"] >= 1
    others = sensors["cpu"]["others_percent"]
    assert 0 <= others["min"] <= others["mean"] <= others["max"] <= 100


def test_sensors_that_hang_or_raise_leave_the_run_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hang() -> Sensor:
        threading.Event().wait()
        raise AssertionError

    def fail() -> Sensor:
        raise OSError("no such bus")

    hanging, failing = Source("gpu", 0, hang), Source("cpu", None, fail)
    monkeypatch.setattr(supervisor, "gpu_sources", lambda *_: [hanging])
    monkeypatch.setattr(supervisor, "cpu_source", lambda _: failing)
    result = _run(simulated_spec(default_cache()), tmp_path / "run")
    assert result.finished
    assert result.record["sensors"] == {
        "interval_s": 1.0,
        "gpus": [],
        "failed": [
            {"sensor": "cpu", "cause": "no such bus"},
            {"sensor": "gpu 0", "cause": "it gave no answer for 2 s"},
        ],
    }


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_accuracy_log_holds_the_right_answer_of_every_sample(
    tmp_path: Path, scenario: Scenario
) -> None:
    result = _run(simulated_spec(default_cache(), scenario, "accuracy"), tmp_path / "run")
    records = read_accuracy_log(result.folder / "mlperf_log_accuracy.json")
    truth = labels(SAMPLES).astype("<f4")
    assert {r.qsl_idx: r.data for r in records} == {i: truth[i].tobytes() for i in range(SAMPLES)}


def test_two_runs_one_after_the_other_both_have_the_rounds_settings(tmp_path: Path) -> None:
    for name in ("first", "second"):
        result = _run(simulated_spec(default_cache()), tmp_path / name)
        log = read_detail(result.folder / "mlperf_log_detail.txt")
        assert log.value("effective_sample_index_rng_seed") == (
            load_round("v6.1").seeds.sample_index_rng_seed
        )
        assert "error_invalid_config" not in log.entries


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        ({"raise_at": "9"}, "as option raise_at asks"),
        ({"hang_at": "9"}, "no sample completed for 1.5 s"),
        ({"segfault_at": "9"}, "SIGSEGV"),
        ({"exit_at": "9"}, "exit status"),
        ({"empty": "true"}, "answers were empty"),
    ],
)
@pytest.mark.parametrize("scenario", ["SingleStream", "Server"])
def test_a_fault_makes_a_failed_run_with_its_cause(
    tmp_path: Path, scenario: Scenario, options: dict[str, str], cause: str
) -> None:
    result = _run(simulated_spec(default_cache(), scenario, options=options), tmp_path / "run")
    assert result.record["outcome"] == "failed"
    assert cause in result.record["cause"]
    assert (result.folder / "worker.log").exists()
    assert rundir.read_record(result.folder) == result.record


def test_empty_answers_are_counted(tmp_path: Path) -> None:
    result = _run(simulated_spec(default_cache(), options={"empty": "true"}), tmp_path / "run")
    counted = result.record["samples"]
    assert counted["empty"] == counted["completed"] >= 64
    assert (
        f"{counted['empty']} of {counted['completed']} answers were empty"
        in (result.record["cause"])
    )


def test_a_killed_worker_is_a_failed_run(tmp_path: Path) -> None:
    spec = simulated_spec(default_cache(), min_duration_ms=60_000)
    killer = threading.Thread(target=_kill_the_child_when_it_runs, args=(tmp_path / "run",))
    killer.start()
    result = _run(spec, tmp_path / "run")
    killer.join()
    assert result.record["outcome"] == "failed"
    assert result.record["cause"] == "the worker was killed by SIGKILL"


def _kill_the_child_when_it_runs(folder: Path) -> None:
    for _ in range(400):
        time.sleep(0.05)
        for child in psutil.Process().children():
            if "harness.running.worker" in child.cmdline() and _completed(folder):
                child.kill()
                return


def _completed(folder: Path) -> int:
    seen = read_progress(folder)
    return seen.completed if seen else 0


def test_a_request_to_stop_leaves_an_aborted_run_and_no_process(tmp_path: Path) -> None:
    spec = simulated_spec(default_cache(), min_duration_ms=60_000)
    stop = StopRequests()

    def stop_once_it_runs(seen: Snapshot) -> None:
        if seen.completed:
            stop.request("SIGINT")

    with pytest.raises(StoppedError, match="SIGINT"):
        supervise(spec, tmp_path, stop, QUICK, stop_once_it_runs)
    record = rundir.read_record(tmp_path)
    assert record is not None
    assert (record["outcome"], record["cause"]) == ("aborted", "stopped by SIGINT")
    assert not rundir.finished(tmp_path, spec)
    assert not [p for p in psutil.Process().children() if "harness.running.worker" in p.cmdline()]


def test_a_worker_dies_with_its_parent(tmp_path: Path) -> None:
    spec = simulated_spec(default_cache(), min_duration_ms=60_000)
    rundir.start_run_folder(tmp_path / "asked", spec)
    folder = tmp_path / "run"
    command = [sys.executable, "-m", "harness", "run", str(tmp_path / "asked/spec.json")]
    parent = subprocess.Popen(
        [*command, "--folder", str(folder)], stderr=subprocess.DEVNULL, env=dict(os.environ)
    )
    for _ in range(400):
        if _completed(folder):
            break
        time.sleep(0.05)
    (child,) = psutil.Process(parent.pid).children()
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    assert psutil.wait_procs([child], timeout=3)[1] == []


def test_a_spec_survives_its_file(tmp_path: Path) -> None:
    spec = simulated_spec(default_cache(), "Server")
    rundir.start_run_folder(tmp_path / "run", spec)
    assert spec_from(json.loads((tmp_path / "run/spec.json").read_text())) == spec


def test_a_worker_that_ends_well_without_its_report_is_a_failed_run() -> None:
    outcome, cause = Ending(0).outcome({}, None)
    assert outcome == "failed"
    assert "without its report" in cause
