"""What ``loadproof show`` prints: every number as the result has it, and what it is worth."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from audit.judge import judge
from audit.requirements import Profile
from audit.result import Result, read_result
from datasets.disk.files import write_json
from harness import exits
from harness.report.result import render
from harness.report.scenario import NOT_IN_ROUND_NOTE
from tests.audit.written_evidence import Evidence, system
from tests.harness.command import run


@pytest.fixture
def result(tmp_path: Path) -> Result:
    evidence = Evidence(tmp_path / "evidence", ("Offline", "Server", "SingleStream"))
    gpu = {"name": "A GPU", "memory": "40 GB", "driver": "9"}
    host = system(cpu_model="A CPU", kernel="6.1", gpus=[gpu])
    write_json(evidence.root / "system.json", host)
    assert judge(evidence.root).passed
    return read_result(evidence.root)


def test_the_table_has_a_row_a_scenario_and_says_that_it_is_no_mlperf_result(
    result: Result,
) -> None:
    lines = [" ".join(line.split()) for line in render(result, "plain").splitlines()]
    assert lines[0] == "simulated-cpu-fp32-resnet50-simulated: not an MLPerf result"
    score = "not enough runs 100.000 (92.87 to 100.00) 90.000 1 × 1 no"
    assert f"Offline samples/s 102 CV 1.0 %, 3 runs {score}" in lines
    assert f"Server * queries/s 79.9 CV 0.0 %, 3 runs {score}" in lines
    assert NOT_IN_ROUND_NOTE in lines
    assert f"SingleStream p90 latency, ms 10.5 CV 0.0 %, 3 runs {score}" in lines
    assert "machine A CPU, 4 cores, Linux 6.1" in lines
    assert "GPU A GPU, 40 GB, 9" in lines
    assert "not comparable runs last seconds" in lines


def test_what_the_sensors_told_stands_beside_the_machine(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path / "evidence")
    power = {"power_w": {"min": 90.0, "mean": 310.0, "max": 540.0}}
    told = {"interval_s": 1.0, "gpus": [{"device": 0, "readings": 4, **power}], "failed": []}
    evidence.change_record(evidence.run(), lambda run: run.update(sensors=told))
    judge(evidence.folder)
    shown = " ".join(render(read_result(evidence.folder), "plain").split())
    assert "GPU 0 meanwhile 310 W, at most 540 W" in shown


@pytest.mark.parametrize(("rate", "word"), [(100, "met"), (200, "NOT MET")])
def test_an_acceptance_profile_is_named_with_its_verdict(
    result: Result, rate: float, word: str
) -> None:
    limits = {"Offline": {"min_samples_per_s": rate}}
    document = {"name": "node-a", "benchmarks": {"resnet50": {"scenarios": limits}}}
    head = {"schema": "loadproof/requirements", "version": 1}
    judge(result.path.parent, None, Profile("0" * 64, {**head, **document}))
    assert f"requirements node-a: {word}" in " ".join(
        render(read_result(result.path), "plain").split()
    )


def test_github_tables_have_bars(result: Result) -> None:
    rows = [line for line in render(result, "github").splitlines() if "Offline" in line]
    assert rows[0].startswith("| Offline")
    assert rows[0].endswith("|")


def test_csv_has_the_numbers_as_they_were_measured_each_under_its_unit(result: Result) -> None:
    rows = list(csv.DictReader(io.StringIO(render(result, "csv"))))
    assert [row["scenario"] for row in rows] == ["Offline", "Server", "SingleStream"]
    units = ("samples_per_s", "queries_per_s", "latency_ms", "latency_percentile")
    offline, server, single = ([row[unit] for unit in units] for row in rows)
    assert offline == ["102.0", "", "", ""]
    assert (server[0], server[2]) == ("", "")
    assert float(server[1]) == result.measurements[1].median
    assert single == ["", "", "10.5", "90.0"]
    assert {row["comparable"] for row in rows} == {"False"}
    assert {row["accuracy_percent"] for row in rows} == {"100.0"}
    assert {row["accuracy_margin_samples"] for row in rows} == {"5.0"}
    assert {float(row["accuracy_low_percent"]) < 92.9 for row in rows} == {True}


def test_json_is_the_result_itself(result: Result) -> None:
    assert json.loads(render(result, "json")) == json.loads(result.path.read_text("utf-8"))


def test_a_format_that_there_is_not_is_refused_with_those_that_there_are(
    result: Result, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("show", result.path, "--format", "xml") == exits.USAGE
    assert "the formats are plain, github, csv, json" in capsys.readouterr().err


def test_the_command_shows_a_folder(result: Result, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", result.path.parent, "--format", "csv") == exits.FINE
    assert capsys.readouterr().out.startswith("id,benchmark,scenario")
