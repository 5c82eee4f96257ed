"""Repeats in whole evidence folders: what the audit writes of them, and when there is no result."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from audit.consistency.policy import load_policy
from audit.judge import judge
from audit.result import read_result
from audit.verdicts import Audit
from harness.report.table import render
from tests.audit.written_evidence import Evidence, right_answers
from tests.audit.written_logs import write_accuracy

STRICT = load_policy("qualification")
SCENARIOS = ("Offline", "Server", "SingleStream", "MultiStream")
SPREAD = (100.0, 130.0, 80.0, 115.0, 70.0)


@pytest.fixture
def five(tmp_path: Path) -> Evidence:
    return Evidence(tmp_path / "evidence", repeats=5)


def _rates(evidence: Evidence, rates: tuple[float, ...]) -> None:
    for repeat, rate in enumerate(rates, 1):
        evidence.change_log(evidence.run(repeat=repeat), result_samples_per_second=rate)


def _consistency(evidence: Evidence, name: str = "audit.json") -> dict[str, Any]:
    document = json.loads((evidence.root / name).read_text("utf-8"))
    found: dict[str, Any] = document["scenarios"][0]["performance"]["consistency"]
    return found


def _gate(audit: Audit) -> bool:
    return next(gate.passed for gate in audit.gates if gate.id == "consistency")


def test_stable_runs_stand_in_the_result_with_their_intervals(five: Evidence) -> None:
    assert judge(five.root, STRICT).passed
    found = _consistency(five, "result.json")
    assert (found["verdict"], found["runs"]) == ("stable", 5)
    statistics = found["statistics"]
    low, high = statistics["mean_interval"]
    assert low < 103 < high
    assert statistics["drift"]["percent"] == pytest.approx(100 * 4 / 103)
    assert statistics["tail_latency"] is None


def test_too_few_runs_are_said_and_leave_the_result(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path / "evidence", repeats=3)
    audit = judge(evidence.root)
    assert audit.passed
    assert audit.policy.name == "quick"
    assert _consistency(evidence)["verdict"] == "not enough runs"


def test_unstable_runs_leave_no_result_under_the_strict_policy_only(five: Evidence) -> None:
    _rates(five, SPREAD)
    audit = judge(five.root, STRICT)
    assert not audit.passed
    assert not _gate(audit)
    assert not (five.root / "result.json").exists()
    assert _consistency(five)["verdict"] == "unstable"
    lenient = judge(five.root)
    assert lenient.passed
    found = _consistency(five, "result.json")
    assert found["verdict"] == "unstable"
    assert "coefficient of variation" in found["reasons"][0]


def test_the_suite_of_the_plan_decides_the_policy(five: Evidence) -> None:
    _rates(five, SPREAD)
    five.replan(suite="official")
    audit = judge(five.root)
    assert audit.policy.name == "qualification"
    assert not _gate(audit)


@pytest.mark.parametrize("repeat", [2, 5])
def test_a_run_made_with_other_software_is_no_repeat(five: Evidence, repeat: int) -> None:
    def update(record: dict[str, Any]) -> None:
        record["software"]["numpy"] = "9.9"

    five.change_record(five.run(repeat=repeat), update)
    audit = judge(five.root)
    assert not _gate(audit)
    found = _consistency(five)
    assert found["verdict"] == "not comparable"
    (reason,) = found["reasons"]
    assert f"performance/run_{repeat}" in reason
    assert "software" in reason


def test_a_run_that_failed_is_not_counted(five: Evidence) -> None:
    five.change_record(five.run(repeat=2), lambda record: record.update(outcome="failed"))
    judge(five.root)
    assert _consistency(five)["verdict"] == "not enough runs"


def test_tail_latency_is_that_of_the_scenarios_percentile(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path / "evidence", ("Server",), repeats=5)
    for repeat in range(1, 6):
        tail: dict[str, Any] = {"result_99.00_percentile_latency_ns": 12_000_000 + 1000 * repeat}
        evidence.change_log(evidence.run("Server", repeat), **tail)
    judge(evidence.root)
    tail_found = _consistency(evidence)["statistics"]["tail_latency"]
    assert tail_found["mean_ns"] == 12_003_000
    low, high = tail_found["interval_ns"]
    assert 12_001_000 <= low < 12_003_000 < high <= 12_005_000


@pytest.mark.parametrize(("even", "verdict"), [(True, "unstable"), (False, "stable")])
def test_a_rate_that_falls_inside_a_run_counts_where_the_work_was_even(
    five: Evidence, even: bool, verdict: str
) -> None:
    counts = [120 - at // 2 for at in range(120)]

    def slow_down(record: dict[str, Any]) -> None:
        rest = record["samples"]["completed"] - 1 - sum(counts)
        record["completions"] = {"interval_ms": 10, "counts": [*counts, rest], "even": even}

    five.change_record(five.run(repeat=3), slow_down)
    judge(five.root, STRICT)
    found = _consistency(five)
    assert found["verdict"] == verdict
    if even:
        (reason,) = found["reasons"]
        assert "performance/run_3" in reason
        assert found["statistics"]["drift_inside"][2]["percent"] < -20


def test_accuracy_runs_are_compared_in_pairs(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path / "evidence", SCENARIOS, repeats=1)
    answers = right_answers()
    answers[11] = (11, answers[12][1])
    write_accuracy(evidence.run("Server", None) / "mlperf_log_accuracy.json", answers)
    audit = judge(evidence.root)
    assert audit.passed
    document = json.loads((evidence.root / "result.json").read_text("utf-8"))
    pairs = {(pair["first"], pair["second"]): pair for pair in document["agreement"]}
    assert len(pairs) == 6
    differing = {names for names, pair in pairs.items() if pair["differing"]}
    assert {name for names in differing for name in names} == {
        f"resnet50/{scenario}/accuracy" for scenario in SCENARIOS
    }
    assert all("resnet50/Server/accuracy" in names for names in differing)
    assert all(pairs[names]["samples"] == [11] for names in differing)


def test_a_cut_answer_log_is_left_out_of_the_comparison(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path / "evidence", ("Offline", "Server"), repeats=1)
    path = evidence.run("Server", None) / "mlperf_log_accuracy.json"
    path.write_text(path.read_text("utf-8")[:-3], encoding="utf-8")
    assert judge(evidence.root).agreement == ()


def _change(stated: dict[str, str], record: dict[str, Any]) -> None:
    record.update(stated)


def _soaked(root: Path, rates: tuple[float, ...]) -> Evidence:
    """Runs of 604 s, one after the other, all of a soak of as much in all."""
    evidence = Evidence(root, repeats=len(rates))
    for document in evidence.specs[1:]:
        document["soak_s"] = 604.0 * len(rates)
    evidence.respec()
    _rates(evidence, rates)
    began = datetime(2026, 11, 30, 23, tzinfo=timezone.utc)
    for number in range(len(rates)):
        started = began + timedelta(seconds=610 * number)
        times = {"started": started, "ended": started + timedelta(seconds=604)}
        stated = {key: time.isoformat() for key, time in times.items()}
        evidence.change_record(evidence.run(repeat=number + 1), partial(_change, stated))
    return evidence


@pytest.mark.parametrize(
    ("last", "verdict"), [(100.0, "stable"), (60.0, "drift")], ids=["steady", "falling"]
)
def test_a_soak_is_judged_in_every_file(tmp_path: Path, last: float, verdict: str) -> None:
    step = (100.0 - last) / 5
    evidence = _soaked(tmp_path / "e", tuple(100 - step * at + 0.1 * (at % 2) for at in range(6)))
    audit = judge(evidence.root)
    assert audit.passed
    document = json.loads((evidence.root / "result.json").read_text("utf-8"))
    soak = document["scenarios"][0]["performance"]["soak"]
    assert (soak["verdict"], soak["runs"], soak["asked_s"]) == (verdict, 6, 3624.0)
    assert soak["longest_pause_s"] == 6.0
    assert soak["drift"]["percent"] == pytest.approx(100 * (last - 100) / (100 - 2.5 * step), abs=1)
    assert soak["drift_inside"]["percent"] == 0
    (said,) = [text for text in render(audit).splitlines() if text.startswith("  - Offline: ")][-1:]
    assert said.startswith(f"  - Offline: {verdict}; 6 runs, 60")
    assert read_result(evidence.root).measurements[0].soak == verdict
    assert judge(evidence.root, STRICT).passed == (verdict == "stable")


def test_without_a_soak_nothing_is_said_of_one(five: Evidence) -> None:
    audit = judge(five.root)
    assert audit.scenarios[0].soak is None
    assert "Soak" not in render(audit)
