"""Whole qualifications on the simulated device, through the command line."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from audit import schema
from datasets.disk.cache import default_cache
from harness import exits
from harness.running import rundir
from tests.acceptance.command import ID, SMOKE, loadproof, started
from tests.harness.specs import simulated_spec

FAST = ("-o", "base_ms=1", "-o", "per_sample_ms=0.1")
PATIENT = ("-o", "base_ms=20", "-o", "per_sample_ms=0.1")
"""Too slow for the round's Server limit of 15 ms. Under its own one, of 20 such batches, a thread
may be woken late; under 15 ms a busy machine makes the best device INVALID."""


def _qualify(output: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return loadproof(*_arguments(output, *more))


def _arguments(output: Path, *more: str) -> tuple[str | Path, ...]:
    speed = () if any("base_ms" in option for option in more) else FAST
    return (*SMOKE, "--output", output, *speed, *more)


def _finished(root: Path) -> dict[Path, float]:
    """run.json of every finished run, and when it was written."""
    records = root.rglob("run.json")
    return {
        path: path.stat().st_mtime
        for path in records
        if json.loads(path.read_text())["outcome"] == "finished"
    }


def test_a_good_device_gets_a_result_and_a_second_start_runs_nothing_again(tmp_path: Path) -> None:
    done = _qualify(tmp_path, *PATIENT)
    assert done.returncode == exits.FINE, done.stdout + done.stderr
    root = tmp_path / ID
    result = schema.read(root / "result.json", "result")
    assert result["comparable"] is False
    assert {row["scenario"]: row["in_round"] for row in result["scenarios"]} == {
        "Offline": True,
        "SingleStream": True,
        "MultiStream": True,
        "Server": False,
    }
    for name in ("Offline", "SingleStream", "MultiStream", "Server *"):
        assert name in done.stdout
    assert "not an MLPerf result" in done.stdout
    assert str(root) in done.stdout
    before = _finished(root)
    again = _qualify(tmp_path, "--offline", *PATIENT)
    assert again.returncode == exits.FINE
    assert f"{len(before)} of {len(before)} runs are finished already" in again.stderr
    assert len(before) > 8
    assert _finished(root) == before


def test_fresh_sets_earlier_evidence_aside(tmp_path: Path) -> None:
    chosen = ("--scenarios", "singlestream")
    assert _qualify(tmp_path, *chosen).returncode == exits.FINE
    before = _finished(tmp_path / ID)
    assert _qualify(tmp_path, *chosen, "--fresh").returncode == exits.FINE
    assert _finished(tmp_path / ID).keys() == before.keys()
    assert _finished(tmp_path / ID) != before
    (kept,) = (tmp_path / ".previous").iterdir()
    assert len(_finished(kept)) == len(before)


def test_another_request_sets_earlier_evidence_aside_and_says_so(tmp_path: Path) -> None:
    assert _qualify(tmp_path, "--scenarios", "Offline").returncode == exits.FINE
    other = _qualify(tmp_path, "--scenarios", "Offline", "--max-batch", "4")
    assert other.returncode == exits.FINE
    assert "Earlier evidence was moved to" in other.stderr
    assert len(list((tmp_path / ".previous").iterdir())) == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("-o", "error_rate=0.3"), "BELOW 99.000"),
        (("-o", "empty=true"), "answers were empty"),
    ],
    ids=["wrong answers", "empty answers"],
)
def test_a_bad_device_gets_no_result(tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    done = _qualify(tmp_path, "--scenarios", "SingleStream", *options)
    assert done.returncode == exits.FINDINGS
    assert said in done.stdout
    assert "No result" in done.stdout
    assert not (tmp_path / ID / "result.json").exists()
    judged = schema.read(tmp_path / ID / "audit.json", "audit")
    assert judged["passed"] is False


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("-o", "raise_at=7"), "as option raise_at asks"),
        (("-o", "hang_at=7", "--stall-timeout", "2"), "Nothing happened for 2 s"),
        (("-o", "segfault_at=7"), "SIGSEGV"),
    ],
    ids=["raises", "hangs", "crashes"],
)
def test_a_device_that_fails_while_it_is_probed_is_named_before_anything_is_measured(
    tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    done = _qualify(tmp_path, "--scenarios", "SingleStream", *options)
    assert done.returncode == exits.USAGE
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.rglob("run.json"))


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("raise_at", "as option raise_at asks"),
        ("hang_at", "no sample completed for 1.5 s"),
        ("segfault_at", "killed by SIGSEGV"),
    ],
)
def test_a_single_run_that_fails_ends_with_exit_1_and_its_cause(
    tmp_path: Path, option: str, said: str
) -> None:
    spec = simulated_spec(default_cache(), options={option: "9"})
    rundir.start_run_folder(tmp_path / "asked", spec)
    spec_file, folder = tmp_path / "asked/spec.json", tmp_path / "run"
    done = loadproof("run", spec_file, "--folder", folder, "--stall-timeout", "1.5")
    assert done.returncode == exits.FINDINGS
    assert said in done.stdout
    assert json.loads((folder / "run.json").read_text())["outcome"] == "failed"


def test_a_result_goes_when_the_evidence_no_longer_holds(tmp_path: Path) -> None:
    assert _qualify(tmp_path, "--scenarios", "Offline").returncode == exits.FINE
    root = tmp_path / ID
    log = root / "resnet50/Offline/performance/run_1/mlperf_log_detail.txt"
    text = log.read_text()
    log.write_text(
        text.replace('"result_validity", "value": "VALID"', '"result_validity", "value": "INVALID"')
    )
    judged = loadproof("audit", root)
    assert judged.returncode == exits.FINDINGS
    assert "INVALID" in judged.stdout
    assert not (root / "result.json").exists()


def test_several_devices_serve_more(tmp_path: Path) -> None:
    rates = {}
    for devices in ("0", "0-3"):
        output = tmp_path / devices
        slow = ("-o", "base_ms=4", "-o", "per_sample_ms=4")
        done = _qualify(output, "--scenarios", "Offline", "--devices", devices, *slow)
        assert done.returncode == exits.FINE, done.stdout + done.stderr
        (result,) = output.glob("*/result.json")
        (scenario,) = json.loads(result.read_text())["scenarios"]
        rates[devices] = scenario["performance"]["spread"]["median"]
    assert rates["0-3"] > 2.5 * rates["0"]


def _started(output: Path) -> subprocess.Popen[str]:
    long = ("--scenarios", "Offline,SingleStream", "-o", "base_ms=20", "-o", "per_sample_ms=0.1")
    return started(*_arguments(output, *long))


def _wait_for_a_second_run(output: Path) -> None:
    """Until one run is finished and the worker of the next is at work."""
    for _ in range(1200):
        time.sleep(0.05)
        done = len(_finished(output)) if output.exists() else 0
        if done and len(list(output.rglob("progress.bin"))) > done:
            return
    pytest.fail("no second run began")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_command_that_is_stopped_loses_no_finished_run(
    tmp_path: Path, number: signal.Signals
) -> None:
    process = _started(tmp_path)
    _wait_for_a_second_run(tmp_path)
    children = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(number)
    process.communicate(timeout=30)
    assert psutil.wait_procs(children, timeout=3)[1] == []
    if number != signal.SIGKILL:
        assert process.returncode == exits.INTERRUPTED
        outcomes = [json.loads(p.read_text())["outcome"] for p in tmp_path.rglob("run.json")]
        assert outcomes.count("aborted") == 1
    before = _finished(tmp_path)
    again = _started(tmp_path)
    output, errors = again.communicate(timeout=120)
    assert again.returncode == exits.FINE, output + errors
    after = _finished(tmp_path)
    assert {path: after[path] for path in before} == before
    assert len(after) > len(before) >= 1
