"""Evidence that was edited, or is none, through the command line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from datasets.disk.files import sha256_of
from harness import exits
from tests.acceptance.command import ID, SMOKE, loadproof


def qualify(output: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return loadproof(*SMOKE, "-o", "base_ms=1", "--scenarios", "Offline", "--output", output, *more)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("measured")
    done = qualify(output)
    assert done.returncode == exits.FINE, done.stderr
    return output / ID


@pytest.fixture
def evidence(measured: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(measured, tmp_path / ID))


def test_the_record_holds_the_checksums_of_what_the_run_left(evidence: Path) -> None:
    run = evidence / "resnet50/Offline/performance/run_1"
    record = json.loads((run / "run.json").read_text("utf-8"))
    assert record["files"]["mlperf_log_detail.txt"] == sha256_of(run / "mlperf_log_detail.txt")
    assert record["plan"]["system_sha256"] == sha256_of(evidence / "system.json")
    assert loadproof("audit", evidence).returncode == exits.FINE


def test_a_faster_rate_written_into_the_logs_leaves_no_result(evidence: Path) -> None:
    log = evidence / "resnet50/Offline/performance/run_1/mlperf_log_detail.txt"
    key = '"result_99.00_percentile_latency_ns", "value": '
    text = log.read_text("utf-8")
    assert key in text
    log.write_text(text.replace(key, key + "1"), encoding="utf-8")
    done = loadproof("audit", evidence)
    assert done.returncode == exits.FINDINGS
    assert "is not the file that the run left" in done.stdout
    assert not (evidence / "result.json").exists()


def test_a_plan_that_grows_by_repeats_stays_the_plan_of_its_runs(
    evidence: Path, tmp_path: Path
) -> None:
    again = qualify(tmp_path, "--repeat", "3")
    assert again.returncode == exits.FINE, again.stdout + again.stderr
    runs = json.loads((evidence / "plan.json").read_text("utf-8"))["runs"]
    assert [run["repeat"] for run in runs if run["mode"] == "performance"] == [1, 2, 3]
    for number in (2, 1):
        shutil.rmtree(evidence / f"resnet50/Offline/performance/run_{number}")
        plan = json.loads((evidence / "plan.json").read_text("utf-8"))
        plan["runs"] = [
            run for run in plan["runs"] if (run["mode"], run["repeat"]) != ("performance", number)
        ]
        (evidence / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
        assert loadproof("audit", evidence).returncode == exits.FINDINGS


def test_a_folder_that_is_no_evidence_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "result.json").write_text("not ours", encoding="utf-8")
    done = loadproof("audit", tmp_path)
    assert done.returncode == exits.USAGE
    assert "holds no plan.json" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["result.json"]


def test_a_pipe_in_place_of_a_log_is_a_finding(evidence: Path) -> None:
    log = evidence / "resnet50/Offline/performance/run_1/mlperf_log_detail.txt"
    log.unlink()
    os.mkfifo(log)
    done = loadproof("audit", evidence)
    assert done.returncode == exits.FINDINGS
    assert "it is a named pipe" in done.stdout


def test_a_judgement_that_can_not_be_written_is_shown(evidence: Path) -> None:
    (evidence / "audit.json").unlink()
    (evidence / "audit.json").mkdir()
    done = loadproof("audit", evidence, "--json")
    assert done.returncode == exits.FINE
    assert json.loads(done.stdout)["passed"] is True
    assert "audit.json can't be written" in done.stderr
