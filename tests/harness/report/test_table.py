"""The table that a user reads last: nothing bad may look good in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit.judge import judge
from harness.report.findings import MOST_FINDINGS
from harness.report.table import render
from tests.audit.written_evidence import Evidence, right_answers
from tests.audit.written_logs import write_accuracy

SCENARIOS = ("Offline", "SingleStream", "MultiStream", "Server")


def _rows(text: str) -> dict[str, str]:
    """The table's rows by scenario."""
    table = text.split("\n\n")[1].splitlines()[2:]
    return {line.split()[0]: " ".join(line.split()) for line in table}


def test_good_evidence_is_a_row_for_each_scenario_and_the_place_of_the_result(
    tmp_path: Path,
) -> None:
    evidence = Evidence(tmp_path / "evidence", SCENARIOS)
    text = render(judge(evidence.root))
    assert text.splitlines()[0] == (
        "simulated-cpu-fp32-resnet50-simulated · suite quick · round v6.1 · edge, embedded model "
        "and data: not an MLPerf result"
    )
    score = "100.000 ≥ 90.000"
    rows = _rows(text)
    assert rows["Offline"] == f"Offline samples/s 102 1.0 %, 3 runs VALID {score} 1 × 1 8 no"
    assert rows["SingleStream"] == (
        f"SingleStream p90 latency, ms 10.5 0.0 %, 3 runs VALID {score} 1 × 1 1 no"
    )
    assert rows["MultiStream"].startswith("MultiStream p99 latency, ms 81 ")
    assert rows["MultiStream"].endswith(" 1 × 1 8 no")
    assert rows["Server"].startswith("Server * queries/s 79.9 ")
    assert rows["Server"].endswith(" 1 × 1 ≤ 8 no")
    assert f"Result: {evidence.root / 'result.json'}" in text
    assert text.endswith(f"Evidence: {evidence.root}")
    names = "Offline, SingleStream, MultiStream, Server"
    assert f"  - {names}: 100.000 (92.87 to 100.00), 5 sample(s) to spare of 50" in text
    assert "No result" not in text
    assert "error:" not in text


def test_reasons_against_a_comparison_are_listed(tmp_path: Path) -> None:
    text = render(judge(Evidence(tmp_path / "evidence").root))
    assert "Not comparable with MLPerf:\n  - " in text
    assert "  - runs last seconds" in text.splitlines()


def test_a_reason_of_one_scenario_names_it(tmp_path: Path) -> None:
    audit = judge(Evidence(tmp_path / "evidence", SCENARIOS).root)
    first, *more = audit.scenarios
    scenarios = (replace(first, why_not=("it is short",)), *more)
    text = render(replace(audit, scenarios=scenarios, why_not=("it is short", "it is small")))
    assert "MLPerf:\n  - Offline: it is short\n  - it is small\n" in text


def test_an_invalid_run_is_counted_named_and_leaves_no_result(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path / "evidence")
    invalid: dict[str, Any] = {"result_validity": "INVALID", "result_min_duration_met": False}
    evidence.change_log(evidence.run(repeat=2), **invalid)
    text = render(judge(evidence.root))
    row = _rows(text)["Offline"]
    assert "1 INVALID, 2 VALID" in row
    assert "2 of 3 runs" in row
    assert "No result, because these conditions are not met:" in text
    assert "Result:" not in text
    (error,) = [line for line in text.splitlines() if line.startswith("error: ")]
    assert "performance/run_2" in error
    assert " → " in error


def test_where_every_run_is_invalid_there_is_no_value(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path / "evidence")
    for repeat in (1, 2, 3):
        evidence.change_log(evidence.run(repeat=repeat), result_validity="INVALID")
    text = render(judge(evidence.root))
    assert _rows(text)["Offline"].startswith("Offline samples/s none 0 of 3 runs INVALID ")
    assert "(2 more like it in audit.json)" in text


def test_where_a_setting_would_help_it_is_said_how_to_change_it(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path / "evidence", ("Server",))
    late: dict[str, Any] = {"result_validity": "INVALID", "early_stopping_met": False}
    evidence.change_log(evidence.run("Server"), **late)
    text = render(judge(evidence.root))
    assert "set *.Server." in text
    assert "Settings to change go into a file, one a line: add --user-conf FILE." in text


def test_a_failed_run_is_named_with_its_cause(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path / "evidence")

    def fail(record: dict[str, Any]) -> None:
        record |= {"outcome": "failed", "cause": "the worker was killed by SIGKILL"}

    evidence.change_record(evidence.run(repeat=1), fail)
    text = render(judge(evidence.root))
    assert "1 FAILED, 2 VALID" in _rows(text)["Offline"]
    assert "the worker was killed by SIGKILL" in text


def test_a_score_below_its_target_is_shouted(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path / "evidence")
    target = {"metric": "top1_percent", "value": 99.0, "source": "the tests"}
    evidence.replan(accuracy_target=target)
    first, _, *rest = right_answers()
    log = evidence.run(repeat=None) / "mlperf_log_accuracy.json"
    write_accuracy(log, [first, (1, first[1]), *rest])
    text = render(judge(evidence.root))
    assert "98.000 BELOW 99.000" in _rows(text)["Offline"]
    assert "  - Offline: 98.000 (89.50 to 99.65), 1 sample(s) too few of 50" in text.splitlines()
    assert "No result" in text


def test_several_devices_are_counted(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path / "evidence", repeats=1)
    for spec in evidence.specs:
        spec["backend"]["devices"] = [0, 1]
    evidence.replan()
    assert "1 × 1 on 2 devices" in render(judge(evidence.root))


def test_without_a_plan_there_is_no_row_and_no_result(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path / "evidence")
    (evidence.root / "plan.json").write_text("{")
    text = render(judge(evidence.root))
    assert text.splitlines()[0] == "evidence: no plan"
    assert _rows(text) == {}
    assert "plan.json" in text
    assert "No result, because these conditions are not met:" in text


def test_an_accuracy_run_that_is_gone_leaves_no_score(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path / "evidence")
    (evidence.run(repeat=None) / "mlperf_log_accuracy.json").unlink()
    text = render(judge(evidence.root))
    assert " VALID none 1 × 1 " in _rows(text)["Offline"]


def test_many_kinds_of_finding_are_cut_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.report.findings.MOST_FINDINGS", 1)
    assert MOST_FINDINGS > 1
    evidence = Evidence(tmp_path / "evidence")
    (evidence.root / "system.json").unlink()
    evidence.change_log(evidence.run(), result_validity="INVALID")
    (evidence.run(repeat=2) / "run.json").unlink()
    text = render(judge(evidence.root))
    assert "more kinds of finding in audit.json." in text
    assert sum(line.startswith(("error: ", "warning: ")) for line in text.splitlines()) == 1
