"""What is done with finished measurements: shown, judged again, compared, and measured again."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from audit import schema
from audit.judge import judge
from audit.requirements import read_profile
from datasets.disk.files import sha256_of, write_json
from datasets.samples.simulated import labels
from harness import exits
from tests.acceptance.command import ID, SMOKE, loadproof

REPEATS = 5
SAMPLES = 32
"""The smoke suite's."""


def _qualify(output: Path, cache: Path, per_sample_ms: float) -> Path:
    device = ("-o", "base_ms=1", "-o", f"per_sample_ms={per_sample_ms}")
    runs = ("--scenarios", "Offline", "--repeat", str(REPEATS))
    done = loadproof(*SMOKE, *device, *runs, "--output", output, "--cache", cache)
    assert done.returncode == exits.FINE, done.stdout + done.stderr
    return output / ID


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Path:
    """An evidence folder with a result of Offline."""
    return _qualify(tmp_path_factory.mktemp("measured"), cache, 0.2)


def _result(folder: Path) -> dict[str, Any]:
    document: dict[str, Any] = schema.read(folder / "result.json", "result")
    return document


def test_a_result_tells_how_it_was_measured(measured: Path) -> None:
    result = _result(measured)
    system = result["system"]
    schema.require(system, "system", "the result's system")
    assert system["command"][:3] == ["loadproof", "qualify", "-b"]
    assert {"numpy", "mlcommons-loadgen", "loadproof"} <= set(system["packages"])
    assert result["plan"] == json.loads((measured / "plan.json").read_text("utf-8"))


def test_a_result_is_shown_as_a_table_and_as_csv(measured: Path) -> None:
    shown = loadproof("show", measured)
    assert shown.returncode == exits.FINE
    assert shown.stdout.startswith(f"{ID}: not an MLPerf result\n")
    (row,) = csv.DictReader(io.StringIO(loadproof("show", measured, "--format", "csv").stdout))
    median = _result(measured)["scenarios"][0]["performance"]["spread"]["median"]
    assert (row["scenario"], float(row["samples_per_s"]), row["runs"]) == ("Offline", median, "5")


def _profile(path: Path, rate: float) -> Path:
    limits = {"Offline": {"min_samples_per_s": rate, "min_runs": 3}}
    head = {"schema": "loadproof/requirements", "version": 1, "name": "node"}
    benchmarks = {"resnet50": {"min_accuracy": 99, "scenarios": limits}}
    write_json(path, {**head, "benchmarks": benchmarks})
    return path


def test_evidence_is_packed_checked_and_moved_to_another_layout(
    measured: Path, tmp_path: Path
) -> None:
    tree, moved = tmp_path / "tree", tmp_path / "moved"
    packed = loadproof(
        "package", measured, "--submitter", "A Lab", "--division", "open", "--out", tree
    )
    assert packed.returncode == exits.FINE, packed.stdout + packed.stderr
    assert "status (available, preview or rdi)" in packed.stdout
    checked = loadproof("check", tree, "--round", "v6.1")
    assert checked.returncode == exits.FINDINGS
    assert "open/A-Lab" in checked.stdout
    assert "the dataset has 32 samples, the one of v6.1 has 50000" in checked.stdout
    done = loadproof("migrate", tree, "--from", "v6.1", "--to", "v5.1", "--out", moved)
    assert done.returncode == exits.FINE, done.stdout + done.stderr
    assert [one.name for one in (moved / "open/A-Lab/measurements").rglob("user.conf")]


def test_requirements_decide_the_exit_code_and_leave_the_result(
    measured: Path, tmp_path: Path
) -> None:
    median = _result(measured)["scenarios"][0]["performance"]["spread"]["median"]
    codes = {}
    for share in (0.5, 2):
        node = _profile(tmp_path / "node.json", share * median)
        done = loadproof("audit", measured, "--require", node, "--json")
        lines = json.loads(done.stdout)["requirements"]["lines"]
        codes[share] = (done.returncode, [line["passed"] for line in lines])
        assert (measured / "result.json").exists()
    assert codes == {
        0.5: (exits.FINE, [True, True, True]),
        2: (exits.FINDINGS, [True, False, True]),
    }


def test_a_profile_that_is_none_is_refused_before_anything_is_measured(tmp_path: Path) -> None:
    write_json(tmp_path / "node.json", {"schema": "loadproof/requirements", "version": 1})
    output = tmp_path / "output"
    done = loadproof(*SMOKE, "--output", output, "--require", tmp_path / "node.json")
    assert done.returncode == exits.USAGE
    assert "is not a valid requirements document" in done.stderr
    assert not output.exists()


def test_its_logs_alone_give_the_same_numbers(measured: Path, tmp_path: Path) -> None:
    truth = tmp_path / "labels.txt"
    truth.write_text("".join(f"{n}.JPEG {label}\n" for n, label in enumerate(labels(SAMPLES))))
    folders = [measured / "resnet50/Offline" / mode for mode in ("accuracy", "performance")]
    done = loadproof("audit", "--logs", *folders, "-b", "resnet50", "--labels", truth, "--json")
    assert done.returncode == exits.FINE, done.stdout
    verdict = json.loads(done.stdout)
    scored, *runs = verdict["runs"]
    result = _result(measured)["scenarios"][0]
    assert scored["accuracy"]["correct"] == result["accuracy"]["correct"] == SAMPLES
    values = result["performance"]["values"]
    assert [run["metric"]["value"] for run in runs] == [value["value"] for value in values]
    assert [run["metric"]["sha256"] for run in runs] == [value["sha256"] for value in values]


def test_an_edited_metric_is_found_from_the_log_alone(measured: Path, tmp_path: Path) -> None:
    run = measured / "resnet50/Offline/performance/run_1"
    text = (run / "mlperf_log_detail.txt").read_text("utf-8")
    value = _result(measured)["scenarios"][0]["performance"]["values"][0]["value"]
    edited = tmp_path / "run_1"
    edited.mkdir()
    changed = text.replace(f'"value": {value:g},', f'"value": {value * 1.01:g},')
    assert changed != text
    (edited / "mlperf_log_detail.txt").write_text(changed, "utf-8")
    truth = tmp_path / "labels.txt"
    truth.write_text("0.JPEG 0\n")
    done = loadproof("audit", "--logs", edited, "-b", "resnet50", "--labels", truth)
    assert done.returncode == exits.FINDINGS
    assert "gives result_samples_per_second as" in done.stdout


def test_a_slower_device_is_worse_and_another_suite_is_not_comparable(
    measured: Path, tmp_path: Path, cache: Path
) -> None:
    slower = _qualify(tmp_path, cache, 2)
    done = loadproof("compare", measured, slower, "--json")
    assert done.returncode == exits.FINE, done.stdout
    document = json.loads(done.stdout)
    schema.require(document, "comparison", "the output")
    ((offline,), changes) = (
        document["comparisons"][0]["scenarios"],
        document["comparisons"][0]["changes"],
    )
    assert offline["verdict"] == "worse"
    assert offline["difference"]["interval_percent"][1] < -50
    assert "backend options" in [change["what"] for change in changes]
    other = _result(measured)
    for run in other["runs"]:
        run["settings"]["min_duration_ms"] = 600000
    write_json(tmp_path / "other.json", other)
    refused = loadproof("compare", measured, tmp_path / "other.json")
    assert refused.returncode == exits.FINDINGS
    assert "other minimum duration in ms: 500 and 600000" in refused.stdout


def test_a_rerun_says_what_changed_runs_the_same_plan_and_compares(
    measured: Path, tmp_path: Path, cache: Path
) -> None:
    judge(measured, None, read_profile(_profile(tmp_path / "node.json", 1)))
    result = _result(measured)
    result["system"]["packages"]["numpy"] = "1.0"
    write_json(tmp_path / "before.json", result)
    before = sha256_of(measured / "plan.json")
    words = ("rerun", tmp_path / "before.json", "--output", tmp_path / "again", "--cache", cache)
    done = loadproof(*words)
    assert done.returncode == exits.FINE, done.stdout + done.stderr
    assert "package numpy: 1.0 → " in done.stderr
    assert "A → B" in done.stdout
    assert "Requirements of node: met" in done.stdout
    again = _result(tmp_path / "again" / ID)
    kept = ("scenario", "mode", "repeat", "settings", "batching", "backend")
    plans = [[{key: run[key] for key in kept} for run in one["runs"]] for one in (result, again)]
    assert plans[0] == plans[1]
    assert again["policy"] == result["policy"]
    assert again["requirements"]["profile"] == result["requirements"]["profile"]
    assert sha256_of(measured / "plan.json") == before
    more = loadproof(*words, "--json")
    assert "6 of 6 runs are finished already." in more.stderr
    compared = json.loads(more.stdout)["comparisons"][0]
    (offline,) = compared["scenarios"]
    assert compared["second"]["accepted"] is True
    assert len(offline["first"]["values"]) == len(offline["second"]["values"]) == REPEATS


def test_a_rerun_refuses_its_own_place_and_another_model(measured: Path, tmp_path: Path) -> None:
    own = loadproof("rerun", measured, "--output", measured.parent)
    assert own.returncode == exits.USAGE
    assert "where the result itself lies" in own.stderr
    result = _result(measured)
    for run in result["plan"]["runs"]:
        run["model"]["sha256"] = "1" * 64
    write_json(tmp_path / "other.json", result)
    other = loadproof("rerun", tmp_path / "other.json", "--output", tmp_path / "again")
    assert other.returncode == exits.USAGE
    assert "is not what was measured" in other.stderr
    assert not list(tmp_path.rglob("run.json"))
