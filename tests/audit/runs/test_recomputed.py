"""A metric that the rest of its log contradicts is a finding; one that LoadGen wrote never is."""

from __future__ import annotations

import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.logs.loadgen_log import DetailLog, read_detail
from audit.rules import load_round
from audit.runs import words
from audit.runs.recomputed import ROUNDING, contradictions, recompute
from audit.runs.validity import explain
from tests.audit.written_logs import holding, performance, write_detail

V6_1 = load_round("v6.1")

REAL: Mapping[str, Mapping[str, Any]] = {
    "Offline": {
        "generated_samples_per_query": 12116,
        "result_samples_per_second": 6798.32,
        "result_max_latency_ns": 1782204098,
    },
    "Server": {
        "result_query_count": 2245,
        "result_scheduled_samples_per_sec": 4487.68,
        "result_completed_samples_per_sec": 4462.15,
        "result_min_latency_ns": 1561448,
        "result_max_latency_ns": 9110276,
    },
    "SingleStream": {
        "effective_target_latency_percentile": 0.9,
        "result_query_count": 382,
        "early_stopping_latency_ss": 1472300,
        "result_min_latency_ns": 1139230,
        "result_90.00_percentile_latency_ns": 1228824,
        "result_95.00_percentile_latency_ns": 1873141,
        "result_max_latency_ns": 6653115,
    },
    "MultiStream": {
        "effective_target_latency_percentile": 0.9,
        "result_query_count": 244,
        "early_stopping_latency_ms": 2992832,
        "result_90.00_percentile_per_query_latency_ns": 2404669,
        "result_95.00_percentile_per_query_latency_ns": 2992832,
        "result_97.00_percentile_per_query_latency_ns": 3811690,
    },
}
"""What LoadGen 6.0 logged of short runs on a simulated device."""
METRIC = {
    "Offline": "result_samples_per_second",
    "Server": "result_completed_samples_per_sec",
    "SingleStream": "early_stopping_latency_ss",
    "MultiStream": "early_stopping_latency_ms",
}


def log_of(scenario: str, **changes: Any) -> DetailLog:
    return holding({"effective_scenario": scenario, **REAL[scenario], **changes})


@pytest.mark.parametrize(
    ("scenario", "low", "high"),
    [
        ("Offline", 6798.323, 6798.324),
        ("Server", 4407.381, 4473.710),
        ("SingleStream", 1228824, 1873141),
        ("MultiStream", 2992832, 2992832),
    ],
)
def test_the_bounds_are_those_of_the_formula(scenario: str, low: float, high: float) -> None:
    bounds = recompute(log_of(scenario))[METRIC[scenario]]
    assert bounds.low == pytest.approx(low, rel=2e-7)
    assert bounds.high == pytest.approx(high, rel=2e-7)
    assert list(contradictions(log_of(scenario))) == []


@pytest.mark.parametrize("scenario", REAL)
@given(factor=st.one_of(st.floats(0.01, 0.5), st.floats(2, 100)))
def test_an_edited_metric_is_a_finding_that_names_both_values(scenario: str, factor: float) -> None:
    key = METRIC[scenario]
    edited = REAL[scenario][key] * factor
    (found,) = contradictions(log_of(scenario, **{key: edited}))
    assert found.rule == "metric.contradicted"
    assert found.severity == "error"
    assert found.found == f"{edited:.10g}"
    bounds = recompute(log_of(scenario))[METRIC[scenario]]
    assert str(bounds) in found.sentence
    assert bounds.how in found.sentence


SINGLE: Mapping[str, Any] = {
    "power_begin": "08-04-2025 09:58:51.065",
    "power_end": "08-04-2025 10:08:51.117",
    "effective_target_latency_percentile": 0.9,
    "result_query_count": 19234,
    "result_qps_with_loadgen_overhead": 32.0538,
    "result_qps_without_loadgen_overhead": 32.0654,
    "early_stopping_latency_ss": 32297250,
    "early_stopping_latency_ms": 44926875,
    "result_max_latency_ns": 522521792,
    "result_mean_latency_ns": 31186279,
    "result_90.00_percentile_latency_ns": 32229833,
    "result_95.00_percentile_latency_ns": 33183625,
    "result_99.00_percentile_latency_ns": 42244292,
    "result_99.90_percentile_latency_ns": 158487250,
    "early_stopping_result": " * Processed at least 64 queries (19234).  * Would discard 1825 "
    "highest latency queries.  * Early stopping 90.0th percentile estimate: 32297250  * Early "
    "stopping 99.0th percentile estimate: 44926875",
}
"""What LoadGen 5.1 logged of a published run."""


@pytest.mark.parametrize(
    "key", [key for key in SINGLE if key.startswith(("early_stopping_latency", "result_qps"))]
)
@given(factor=st.one_of(st.floats(0.01, 0.9), st.floats(1.1, 100)))
def test_each_number_that_others_are_inferred_from_is_made_again(key: str, factor: float) -> None:
    assert list(contradictions(log_of("SingleStream", **SINGLE))) == []
    edited = {**SINGLE, key: SINGLE[key] * (factor if "qps" in key else 10 * factor)}
    found = [one.sentence for one in contradictions(log_of("SingleStream", **edited))]
    assert any(key in one for one in found) or 0.9 < 10 * factor < 4


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("result_query_count", 1000),
        ("early_stopping_latency_ss", 3229725),
        ("early_stopping_latency_ms", 4492687),
        ("early_stopping_result", "nonsense"),
        ("early_stopping_result", " * Only processed 10 queries."),
        ("result_invalid_reason", "Reduce target QPS to improve latency."),
    ],
)
def test_words_that_do_not_fit_the_numbers_are_a_finding(key: str, value: object) -> None:
    assert list(words.contradictions(log_of("SingleStream", **SINGLE))) == []
    (found,) = words.contradictions(log_of("SingleStream", **{**SINGLE, key: value}))
    assert (found.rule, found.severity) == ("validity.words", "error")


@pytest.mark.parametrize("decimals", ["90.0th", "90th", "90.00th"])
def test_few_queries_estimate_no_latency_for_multistream(decimals: str) -> None:
    said = (
        f" * Processed at least 64 queries (64).  * Would discard 0 highest latency queries.  * "
        f"Early stopping {decimals} percentile estimate: 150680703  * Not enough queries processed "
        "for 99.0th percentile  early stopping estimate (would need to process at  least 662 total "
        "queries)."
    )
    log = log_of(
        "SingleStream",
        result_query_count=64,
        early_stopping_latency_ss=150680703,
        early_stopping_latency_ms=0,
        early_stopping_result=said,
    )
    assert list(words.contradictions(log)) == []


@pytest.mark.parametrize(
    ("scenario", "said"), [("Offline", ""), ("Server", " * Run successful."), ("MultiStream", None)]
)
def test_the_other_scenarios_have_words_of_their_own(scenario: str, said: str | None) -> None:
    right = log_of(scenario, early_stopping_result=said)
    assert list(words.contradictions(right)) == []
    wrong = log_of(scenario, early_stopping_result="* Run unsuccessful.")
    assert [one.rule for one in words.contradictions(wrong)] == ["validity.words"]


@given(share=st.floats(-0.1, 0.1))
def test_offline_is_exact_to_the_digits_that_loadgen_writes(share: float) -> None:
    exact = 12116 * 1e9 / 1782204098
    found = list(contradictions(log_of("Offline", result_samples_per_second=exact * (1 + share))))
    assert bool(found) == (abs(share) > ROUNDING) or abs(abs(share) - ROUNDING) < 1e-12


@pytest.mark.parametrize("scenario", REAL)
def test_where_the_log_holds_too_little_nothing_is_claimed(scenario: str) -> None:
    for key in REAL[scenario]:
        if key != METRIC[scenario] and not key.startswith("effective_"):
            bounds = recompute(log_of(scenario, **{key: None})).get(METRIC[scenario])
            assert bounds is None or bounds.allows(REAL[scenario][METRIC[scenario]])
    assert recompute(log_of(scenario, effective_scenario="Poem")) == {}


def _rules(folder: Path, entries: Mapping[str, Any]) -> list[str]:
    log = read_detail(write_detail(folder / "log.txt", entries), "log")
    judged = explain(log, None, V6_1, benchmark="resnet50").findings
    return [one.rule for one in judged if one.severity == "error"]


@pytest.mark.parametrize(
    ("scenario", "changes"),
    [
        ("Offline", {"result_samples_per_second": 219.0, "result_max_latency_ns": 301369863014}),
        ("Offline", {"result_samples_per_second": 54.75, "result_max_latency_ns": 1205479452055}),
        ("Server", {"result_completed_samples_per_sec": 160.0}),
        ("Server", {"result_completed_samples_per_sec": 40.0}),
        ("SingleStream", {"result_mean_latency_ns": 20_000_000}),
        ("MultiStream", {"result_query_count": 75000}),
    ],
)
def test_numbers_that_need_another_time_than_passed_are_a_finding(
    tmp_path: Path, scenario: str, changes: Mapping[str, Any]
) -> None:
    assert _rules(tmp_path, performance(scenario, **changes)) == ["metric.elapsed"]


@pytest.mark.parametrize(("queries", "rules"), [(54000, []), (51000, ["metric.elapsed"])])
def test_little_time_may_pass_between_queries_one_after_the_other(
    tmp_path: Path, queries: int, rules: list[str]
) -> None:
    assert _rules(tmp_path, performance("SingleStream", result_query_count=queries)) == rules


def test_queries_that_are_short_may_have_as_much_between_them(tmp_path: Path) -> None:
    entries = performance(
        "SingleStream",
        result_query_count=20_000_000,
        result_mean_latency_ns=1000,
        early_stopping_latency_ss=1100,
    )
    assert _rules(tmp_path, entries) == []


@pytest.mark.parametrize(
    ("key", "value", "rule"),
    [
        ("power_end", "hello", "log.clock"),
        ("power_begin", 5, "log.clock"),
        ("power_end", None, "log.absent"),
        ("power_begin", None, "log.absent"),
        ("power_end", "11-30-2026 22:00:00.000", "log.clock_backwards"),
        ("result_query_count", None, "log.absent"),
        ("early_stopping_met", "true", "validity.condition_claimed"),
        ("early_stopping_met", None, "log.absent"),
    ],
)
@pytest.mark.parametrize("scenario", ["SingleStream", "MultiStream", "Server"])
def test_no_check_is_switched_off_by_what_is_absent_or_no_value(
    tmp_path: Path, scenario: str, key: str, value: object, rule: str
) -> None:
    assert _rules(tmp_path, performance(scenario, **{key: value})) == [rule]


def test_an_invalid_run_is_only_explained(tmp_path: Path) -> None:
    changes = {"result_validity": "INVALID", "result_min_queries_met": False}
    entries = performance("Offline", result_samples_per_second=1.0, **changes)
    entries["result_max_latency_ns"] = 5
    assert _rules(tmp_path, entries) == ["validity.queries"]


@pytest.mark.parametrize("tree", ["R", "B", "O", "N1"])
def test_published_runs_agree_with_themselves(shared: Path, tmp_path: Path, tree: str) -> None:
    with tarfile.open(shared / f"cases/submissions/{tree}.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    logs = [
        read_detail(path)
        for path in tmp_path.rglob("mlperf_log_detail.txt")
        if "performance" in path.parts
    ]
    assert len(logs) >= 3
    for log in logs:
        assert METRIC[log.value("effective_scenario")] in recompute(log)
        assert list(contradictions(log)) == []
        assert list(words.contradictions(log)) == []
        rules = [one.rule for one in explain(log, None, V6_1, benchmark="resnet50").findings]
        assert "metric.elapsed" not in rules
