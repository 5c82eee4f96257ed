"""Comparing results: the right interval, "not significant" where it is not, and honest refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from audit import schema
from audit.comparison.alike import division
from audit.comparison.comparing import compare, compare_all
from audit.comparison.difference import difference
from audit.comparison.document import comparison_document
from audit.judge import judge
from audit.result import Result, read_result
from harness import exits
from harness.cli.app import app, guarded
from harness.report.comparison import render
from tests.audit.written_evidence import Evidence, system

VALUES = st.lists(st.floats(1.0, 1e6), min_size=2, max_size=8)
Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Evidence with a result: Offline at 101, 102, … 105 samples/s."""
    evidence = Evidence(tmp_path / "first", ("Offline", "Server", "SingleStream"), repeats=5)
    assert judge(evidence.root).passed
    path = evidence.root / "result.json"
    document = json.loads(path.read_text("utf-8"))
    _come_from("simulated")(document)
    path.write_text(json.dumps(document), "utf-8")
    return path.parent


def other(folder: Path, change: Change) -> Result:
    """The result of ``folder`` with a change, in a file of its own."""
    document = json.loads((folder / "result.json").read_text("utf-8"))
    change(document)
    path = folder.parent / "other.json"
    path.write_text(json.dumps(document), "utf-8")
    return read_result(path)


def _come_from(origin: str) -> Change:
    def change(document: dict[str, Any]) -> None:
        for key in ("model", "dataset"):
            document[key]["origin"] = origin

    return change


def values(scenario: str, *measured: float) -> Change:
    def change(document: dict[str, Any]) -> None:
        entry = next(one for one in document["scenarios"] if one["scenario"] == scenario)
        number = entry["performance"]["values"][0]
        entry["performance"]["values"] = [{**number, "value": value} for value in measured]

    return change


def setting(scenario: str, **changes: Any) -> Change:
    def change(document: dict[str, Any]) -> None:
        for run in document["runs"]:
            if run["scenario"] == scenario:
                run["settings"] |= changes

    return change


def verdicts(first: Result, second: Result) -> dict[str, str]:
    return {one.scenario: one.verdict for one in compare(first, second).scenarios}


@given(first=VALUES, second=VALUES)
def test_the_interval_is_that_of_welch_s_test_of_logarithms(
    first: list[float], second: list[float]
) -> None:
    logs = [np.log(one) for one in (first, second)]
    assume(all(one.std() > 1e-3 for one in logs))
    found = difference(first, second)
    known = stats.ttest_ind(logs[1], logs[0], equal_var=False)
    low, high = known.confidence_interval(0.95)
    assert found.interval is not None
    assert found.percent == pytest.approx(100 * np.expm1(logs[1].mean() - logs[0].mean()))
    assert found.interval.low == pytest.approx(100 * np.expm1(low), rel=1e-5, abs=1e-5)
    assert found.interval.high == pytest.approx(100 * np.expm1(high), rel=1e-5, abs=1e-5)
    assert found.p == pytest.approx(known.pvalue, rel=1e-6, abs=1e-9)


@given(first=VALUES, second=VALUES)
def test_it_reads_the_same_in_either_direction(first: list[float], second: list[float]) -> None:
    there, back = difference(first, second), difference(second, first)
    assert (1 + there.percent / 100) * (1 + back.percent / 100) == pytest.approx(1)
    assert there.significant == back.significant


def test_equal_repeats_without_any_spread_differ_exactly() -> None:
    same = difference([5.0, 5.0], [5.0, 5.0])
    assert (same.percent, same.significant, same.p) == (0, False, 1)
    twice = difference([5.0, 5.0], [10.0, 10.0])
    assert twice.percent == pytest.approx(100)
    assert twice.significant


def test_a_difference_is_better_or_worse_as_the_metric_has_it(folder: Path) -> None:
    first = read_result(folder)
    faster = other(folder, values("Offline", 201.0, 202.0, 203.0, 204.0, 205.0))
    assert verdicts(first, faster)["Offline"] == "better"
    assert verdicts(faster, first)["Offline"] == "worse"
    slower = other(folder, values("SingleStream", 2.1e7, 2.2e7, 2.0e7, 2.1e7, 2.2e7))
    assert verdicts(first, slower)["SingleStream"] == "worse"


def test_what_lies_within_the_noise_is_not_significant(folder: Path) -> None:
    first = read_result(folder)
    near = other(folder, values("Offline", 100.0, 103.0, 104.0, 102.0, 105.0))
    (offline, *_) = compare(first, near).scenarios
    assert offline.verdict == "not significant"
    assert offline.difference is not None
    assert offline.difference.interval is not None
    assert offline.difference.interval.low < 0 < offline.difference.interval.high


def test_a_single_run_decides_nothing(folder: Path) -> None:
    single = other(folder, values("Offline", 300.0))
    (offline, *_) = compare(read_result(folder), single).scenarios
    assert offline.verdict == "not enough runs"
    assert offline.difference is not None
    assert offline.difference.percent == pytest.approx(191.3, abs=0.1)


def test_fewer_runs_than_the_policy_wants_decide_nothing_however_far_they_lie_apart(
    folder: Path,
) -> None:
    few = other(folder, values("Offline", 300.0, 301.0, 302.0, 303.0))
    found = compare(read_result(folder), few)
    (offline, *_) = found.scenarios
    assert offline.verdict == "not enough runs"
    assert offline.difference is not None
    assert offline.difference.significant
    assert "A → B Offline: a verdict needs 5 runs of each" in render([found])


def test_server_rates_that_were_found_once_are_not_judged_by_repeats_that_kept_them(
    folder: Path,
) -> None:
    asked = setting("Server", target_qps=80)
    first = other(folder, asked)

    def change(document: dict[str, Any]) -> None:
        setting("Server", target_qps=90)(document)
        values("Server", 89.8, 89.9, 90.0, 89.9, 89.8)(document)

    second = other(folder, change)
    server = next(one for one in compare(first, second).scenarios if one.scenario == "Server")
    assert server.verdict == "not enough runs"
    assert "80 and 90 queries/s" in server.notes[0]


@pytest.mark.parametrize(
    ("model", "dataset", "expected"),
    [
        ("official", "official", "closed"),
        ("own", "official", "open"),
        ("official", "own", "open"),
        ("own", "embedded", "embedded"),
        ("embedded", "simulated", "simulated"),
    ],
)
def test_a_division_is_that_of_model_and_data(model: str, dataset: str, expected: str) -> None:
    assert division({"model": {"origin": model}, "dataset": {"origin": dataset}}) == expected


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda one: one["model"].update(sha256="1" * 64), "other model: simulated (000000000000"),
        (lambda one: one["dataset"].update(sha256="1" * 64), "other data: simulated"),
        (lambda one: one["dataset"].update(count=32), "other number of samples: 50 and 32"),
        (_come_from("embedded"), "other division: simulated and embedded"),
        (lambda one: one["model"].update(origin="own"), ""),
        (lambda one: one.update(benchmark="bert"), "other benchmark: resnet50 and bert"),
        (setting("Offline", target_latency_ns=15000000), "other latency limit: none and 15 ms"),
        (setting("Offline", min_duration_ms=500), "other minimum duration in ms: "),
        (setting("Offline", performance_sample_count=9), "other performance sample count"),
    ],
)
def test_what_was_not_measured_alike_is_refused_with_the_reason(
    folder: Path, change: Change, reason: str
) -> None:
    (offline, *_) = compare(read_result(folder), other(folder, change)).scenarios
    if not reason:
        assert offline.why_not == ()
        return
    assert offline.verdict == "not comparable"
    assert offline.difference is None
    assert any(said.startswith(reason) for said in offline.why_not), offline.why_not


def test_embedded_weights_may_come_as_files_of_two_runtimes(folder: Path) -> None:
    first = other(folder, _come_from("embedded"))

    def change(document: dict[str, Any]) -> None:
        _come_from("embedded")(document)
        document["model"]["sha256"] = "1" * 64

    assert set(verdicts(first, other(folder, change)).values()) == {"not significant"}


def test_a_scenario_that_only_one_has_is_named(folder: Path) -> None:
    def change(document: dict[str, Any]) -> None:
        for key in ("scenarios", "runs"):
            document[key] = [one for one in document[key] if one["scenario"] != "Server"]

    first, second = read_result(folder), other(folder, change)
    found = {one.scenario: one.why_not for one in compare(first, second).scenarios}
    assert found["Server"] == ("only the first has Server",)
    found = {one.scenario: one.why_not for one in compare(second, first).scenarios}
    assert found["Server"] == ("only the second has Server",)


def test_what_else_differs_is_listed(folder: Path) -> None:
    def change(document: dict[str, Any]) -> None:
        document["runs"][0]["backend"]["precision"] = "bf16"
        document["runs"][0]["batching"]["max_batch"] = 77
        document["system"] = system(hostname="b", kernel="6.2")
        document["system"]["packages"]["numpy"] = "2.0"

    changed = [str(one) for one in compare(read_result(folder), other(folder, change)).changes]
    assert changed == [
        "backend precision: fp32 → bf16",
        "batching max_batch: 8 → 77",
        "host kernel: of the tests → 6.2",
        "package numpy: 2.4 → 2.0",
    ]


def test_what_is_no_mlperf_result_is_named(folder: Path) -> None:
    simulated = read_result(folder)
    official = other(folder, lambda document: document.update(embedded=False))
    assert "not an MLPerf result: A." in render(compare_all([simulated, official]))
    assert "MLPerf" not in render(compare_all([official, official]))


def test_the_document_and_the_table_say_the_same(folder: Path) -> None:
    first = read_result(folder)
    both = compare_all(
        [first, other(folder, values("Offline", 201.0, 202.0, 203.0, 204.0, 205.0)), first]
    )
    document = comparison_document(both)
    schema.require(document, "comparison", "the comparison")
    offline = document["comparisons"][0]["scenarios"][0]
    assert offline["verdict"] == "better"
    assert offline["second"]["values"] == [201.0, 202.0, 203.0, 204.0, 205.0]
    rows = [" ".join(line.split()) for line in render(both).splitlines()]
    assert any(row.startswith("Offline A → B samples/s 103 (5 runs)") for row in rows)
    assert any(row.endswith("better") for row in rows)
    assert any(row.startswith("Offline A → C samples/s") for row in rows)
    assert rows[-1].startswith("By Welch's t test of the logarithms of the repeats; ")


def test_the_command_ends_with_1_where_something_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert guarded(lambda: app(["compare", str(folder), str(folder)])) == exits.FINE
    assert "not significant" in capsys.readouterr().out
    refused = other(folder, setting("Offline", min_duration_ms=5))
    words = ["compare", str(folder), str(refused.path)]
    assert guarded(lambda: app(words)) == exits.FINDINGS
    assert "A → B Offline is not comparable:" in capsys.readouterr().out
    assert guarded(lambda: app([*words, "--json"])) == exits.FINDINGS
    schema.require(json.loads(capsys.readouterr().out), "comparison", "the output")
    assert guarded(lambda: app(words[:2])) == exits.USAGE
    assert "at least two results" in capsys.readouterr().err
