"""What LoadGen said, why, and whether the log bears it out."""

from __future__ import annotations

import tarfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.findings import Finding, errors
from audit.logs.loadgen_log import read_detail
from audit.planned.asked import asked_from
from audit.rules import load_round
from audit.runs.modes import departures
from audit.runs.validity import Validity, explain, of_itself
from tests.audit.written_evidence import spec
from tests.audit.written_logs import accuracy, line, performance, write_detail

SCENARIOS = ("Offline", "Server", "SingleStream", "MultiStream")
V6_1 = load_round("v6.1")


def judged(
    folder: Path,
    entries: dict[str, Any],
    more: str = "",
    benchmark: str = "resnet50",
    asked: dict[str, Any] | None = None,
    system_type: str = "datacenter,edge",
) -> Validity:
    log = read_detail(write_detail(folder / "log.txt", entries, more), "log")
    wanted = None
    if asked is not None:
        scenario = entries["effective_scenario"]
        wanted = asked_from(spec(scenario, settings=asked, origin="official"))
    return explain(log, wanted, V6_1, benchmark=benchmark, system_type=system_type)


def by_rule(validity: Validity, rule: str) -> Finding:
    (found,) = [one for one in validity.findings if one.rule == rule]
    return found


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_an_official_run_is_valid_and_comparable(tmp_path: Path, scenario: str) -> None:
    validity = judged(tmp_path, performance(scenario))
    assert validity.status == "VALID"
    assert validity.findings == ()
    assert validity.comparable


def test_an_accuracy_run_is_not_judged_by_loadgen(tmp_path: Path) -> None:
    validity = judged(tmp_path, accuracy("Offline"))
    assert validity.status == "NOT JUDGED"
    assert validity.findings == ()


def test_a_performance_log_without_a_verdict_is_missing_one(tmp_path: Path) -> None:
    validity = judged(tmp_path, performance("Offline", result_validity=None))
    assert validity.status == "MISSING"
    assert [one.rule for one in validity.findings] == ["validity.missing"]


def test_server_short_of_queries_for_early_stopping(tmp_path: Path) -> None:
    entries = performance(
        "Server",
        result_validity="INVALID",
        early_stopping_met=False,
        result_query_count=147,
        result_overlatency_query_count=0,
        effective_min_query_count=100,
    )
    found = by_rule(judged(tmp_path, entries), "validity.early_stopping")
    assert "459 queries needed, 312 more" in found.sentence
    assert found.change is not None
    assert (found.change.setting, found.change.present, found.change.suggested) == (
        "*.Server.min_query_count",
        100,
        459,
    )


def test_no_more_queries_are_advised_where_too_many_are_late(tmp_path: Path) -> None:
    entries = performance(
        "Server",
        result_validity="INVALID",
        result_perf_constraints_met=False,
        early_stopping_met=False,
        result_query_count=128,
        result_overlatency_query_count=56,
    )
    assert [one.rule for one in judged(tmp_path, entries).findings] == ["validity.latency"]


def test_a_late_query_raises_what_early_stopping_needs(tmp_path: Path) -> None:
    entries = performance(
        "Server",
        result_validity="INVALID",
        early_stopping_met=False,
        result_query_count=600,
        result_overlatency_query_count=1,
    )
    found = by_rule(judged(tmp_path, entries), "validity.early_stopping")
    assert "662 queries needed, 62 more" in found.sentence


@pytest.mark.parametrize(("scenario", "needed"), [("SingleStream", 64), ("MultiStream", 662)])
def test_an_estimated_latency_needs_one_discarded_query(
    tmp_path: Path, scenario: str, needed: int
) -> None:
    entries = performance(
        scenario, result_validity="INVALID", early_stopping_met=False, result_query_count=50
    )
    found = by_rule(judged(tmp_path, entries), "validity.early_stopping")
    assert f"{needed} queries needed, {needed - 50} more" in found.sentence


def test_late_server_queries_ask_for_a_lower_rate(tmp_path: Path) -> None:
    entries = performance(
        "Server",
        result_validity="INVALID",
        result_perf_constraints_met=False,
        result_query_count=48000,
        result_overlatency_query_count=9000,
        effective_target_qps=80,
        result_completed_samples_per_sec=61.0,
    )
    found = by_rule(judged(tmp_path, entries), "validity.latency")
    assert "9000 of 48000 queries took longer than 15 ms" in found.sentence
    assert "at most 429 may" in found.sentence
    assert found.change is not None
    assert found.change.setting == "*.Server.target_qps"
    assert found.change.present == 80
    assert found.change.suggested == pytest.approx(54.9)


def test_a_short_offline_run_asks_for_the_measured_rate(tmp_path: Path) -> None:
    entries = performance(
        "Offline",
        result_validity="INVALID",
        result_min_duration_met=False,
        result_samples_per_second=356109,
        result_max_latency_ns=185_000_000,
    )
    found = by_rule(judged(tmp_path, entries), "validity.duration")
    assert "lasted 185 ms instead of at least 600 s" in found.sentence
    assert found.change is not None
    assert (found.change.setting, found.change.suggested) == ("*.Offline.target_qps", 357000)


def test_a_short_single_stream_run_asks_for_the_measured_latency(tmp_path: Path) -> None:
    entries = performance(
        "SingleStream",
        result_validity="INVALID",
        result_min_duration_met=False,
        result_mean_latency_ns=2_345_000,
    )
    found = by_rule(judged(tmp_path, entries), "validity.duration")
    assert found.change is not None
    assert (found.change.setting, found.change.present, found.change.suggested) == (
        "*.SingleStream.target_latency",
        10,
        2.34,
    )


def test_a_maximum_below_the_minimum_duration_is_the_one_to_change(tmp_path: Path) -> None:
    entries = performance(
        "SingleStream",
        result_validity="INVALID",
        result_min_duration_met=False,
        effective_max_duration_ms=60000,
    )
    found = by_rule(judged(tmp_path, entries), "validity.duration")
    assert found.change is not None
    assert (found.change.setting, found.change.suggested) == ("*.SingleStream.max_duration", 0)


def test_too_few_queries_ask_for_more_time(tmp_path: Path) -> None:
    entries = performance(
        "MultiStream",
        result_validity="INVALID",
        result_min_queries_met=False,
        result_query_count=300,
    )
    found = by_rule(judged(tmp_path, entries), "validity.queries")
    assert "300 queries were processed instead of at least 662" in found.sentence
    assert found.change is not None
    assert found.change.setting == "*.MultiStream.min_duration"
    assert found.change.suggested == pytest.approx(600_400 * 662 / 300 * 1.1, rel=0.01)


def test_invalid_without_a_reason_repeats_loadgens_words(tmp_path: Path) -> None:
    entries = performance("Offline", result_validity="INVALID", result_invalid_reason="gremlins")
    assert "gremlins" in by_rule(judged(tmp_path, entries), "validity.unexplained").sentence


def test_valid_with_errors(tmp_path: Path) -> None:
    more = line("error_runtime", "a query came back twice", is_error=True)
    validity = judged(tmp_path, performance("Server", num_errors=1), more)
    found = by_rule(validity, "run.valid_with_errors")
    assert validity.status == "VALID"
    assert found.severity == "error"
    assert "valid with errors" in found.sentence
    assert "a query came back twice" in found.sentence


def test_errors_that_are_counted_but_not_there(tmp_path: Path) -> None:
    validity = judged(tmp_path, performance("Server", num_errors=3))
    assert [one.rule for one in validity.findings] == ["run.errors_not_logged"]


def test_offline_claims_that_its_own_log_denies(tmp_path: Path) -> None:
    entries = performance(
        "Offline",
        qsl_reported_total_count=16,
        effective_samples_per_query=100,
        power_end="11-30-2026 23:00:05.000",
    )
    validity = judged(tmp_path, entries)
    assert "holds 16 samples" in by_rule(validity, "settings.library_small").sentence
    assert "Offline sends 100 samples" in by_rule(validity, "round.offline_samples").sentence
    assert "5 s passed" in by_rule(validity, "validity.duration_claimed").sentence
    assert not validity.comparable


def test_early_stopping_claimed_with_too_many_late(tmp_path: Path) -> None:
    entries = performance("Server", result_overlatency_query_count=9000)
    entries["result_99.00_percentile_latency_ns"] = 20_000_000
    (found,) = judged(tmp_path, entries).findings
    assert found.rule == "validity.early_stopping_claimed"
    assert "48000 queries" in found.sentence
    assert "with 9000 late" in found.sentence


@pytest.mark.parametrize(
    ("scenario", "fewest"), [("Server", 459), ("SingleStream", 64), ("MultiStream", 662)]
)
def test_early_stopping_claimed_by_too_few_queries(
    tmp_path: Path, scenario: str, fewest: int
) -> None:
    """Also where none is late, and where the log has no sentence on it."""
    for queries, claimed in ((fewest, False), (fewest - 1, True)):
        late = {"result_overlatency_query_count": 0} if scenario == "Server" else {}
        entries = performance(scenario, result_query_count=queries, **late)
        rules = [one.rule for one in judged(tmp_path, entries).findings]
        assert ("validity.early_stopping_claimed" in rules) is claimed


def test_a_clock_that_ran_a_little_slow_is_no_finding(tmp_path: Path) -> None:
    took = {"result_max_latency_ns": 600_100_000_000, "result_samples_per_second": 109.982}
    entries = performance("Offline", power_end="11-30-2026 23:09:59.900", **took)
    assert judged(tmp_path, entries).findings == ()


def test_settings_as_asked(tmp_path: Path) -> None:
    asked = {"target_qps": 80.0000001, "min_duration_ms": 600000, "target_latency_ns": 15000000}
    assert judged(tmp_path, performance("Server"), asked=asked).findings == ()


@pytest.mark.parametrize(
    ("key", "wanted"),
    [
        ("target_qps", 80.001),
        ("min_duration_ms", 600001),
        ("qsl_rng_seed", 2085463073848966841),
        ("never_logged", 1),
    ],
)
def test_any_setting_that_differs_is_an_error(tmp_path: Path, key: str, wanted: float) -> None:
    validity = judged(tmp_path, performance("Server"), asked={key: wanted})
    found = by_rule(validity, "settings.differs")
    assert found.severity == "error"
    assert f"effective_{key}" in found.sentence


def test_another_mode_than_asked_is_an_error(tmp_path: Path) -> None:
    validity = judged(tmp_path, accuracy("Server"), asked={})
    assert "effective_test_mode = AccuracyOnly" in by_rule(validity, "settings.differs").sentence


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"effective_min_duration_ms": 6000}, "the minimum duration is 6 s, v6.1 demands 600 s"),
        (
            {"effective_performance_sample_count": 100},
            "100 different samples are used for performance, v6.1 demands 1024",
        ),
        (
            {"effective_target_latency_ns": 30000000},
            "the latency limit is 30 ms, v6.1 allows 15 ms",
        ),
        (
            {"effective_target_latency_percentile": 0.9},
            "latency is taken at the 90th percentile, v6.1 takes it at 99th",
        ),
        ({"effective_qsl_rng_seed": 7}, "qsl_rng_seed is 7, v6.1 has 2085463073848966840"),
    ],
)
def test_what_the_round_demands_more_is_a_note(
    tmp_path: Path, changes: dict[str, Any], reason: str
) -> None:
    validity = judged(tmp_path, performance("Server", **changes))
    assert validity.why_not == (reason,)
    assert {one.severity for one in validity.findings} == {"note"}


def test_a_scenario_that_the_round_does_not_have(tmp_path: Path) -> None:
    entries = performance("Server", qsl_reported_total_count=10833)
    entries["effective_performance_sample_count"] = 10833
    validity = judged(tmp_path, entries, benchmark="bert", system_type="edge")
    assert validity.why_not == ("not in this round: v6.1 has no Server for bert on edge systems",)


def test_small_data_is_not_comparable(tmp_path: Path) -> None:
    validity = judged(tmp_path, accuracy("Offline", qsl_reported_total_count=500))
    assert "the dataset has 500 samples, the one of v6.1 has 50000" in validity.why_not


def test_nothing_is_comparable_with_an_unknown_round(tmp_path: Path) -> None:
    log = read_detail(write_detail(tmp_path / "log.txt", performance("Server")))
    validity = explain(log, None, None)
    assert not validity.comparable
    assert validity.why_not == ("the benchmark or the round is not known",)


KEYS = sorted({key for name in SCENARIOS for key in performance(name)})
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**400), 10**400),
    st.floats(),
    st.sampled_from([5e-324, 1e-300, 1 - 1e-16, 1e300, 0.0]),
    st.sampled_from(["VALID", "INVALID", "Server", "", "[1]", "01-01-2026 00:00:00.000"]),
)


@settings(max_examples=200)
@given(
    scenario=st.sampled_from(SCENARIOS),
    changes=st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=6),
    invalid=st.booleans(),
)
def test_no_value_ends_in_a_traceback(
    tmp_path_factory: pytest.TempPathFactory,
    scenario: str,
    changes: dict[str, Any],
    invalid: bool,
) -> None:
    entries = performance(scenario)
    if invalid:
        entries |= dict.fromkeys((key for key in entries if key.endswith("_met")), False) | {
            "result_validity": "INVALID"
        }
    validity = judged(tmp_path_factory.getbasetemp(), {**entries, **changes}, asked={})
    assert validity.comparable == (not validity.why_not)


@pytest.mark.parametrize(
    ("tree", "round_name", "benchmark"), [("R", "v5.1", "resnet50"), ("B", "v5.0", "bert")]
)
def test_published_logs_are_valid_and_comparable(
    shared: Path, tmp_path: Path, tree: str, round_name: str, benchmark: str
) -> None:
    with tarfile.open(shared / f"cases/submissions/{tree}.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    logs = [
        path
        for path in tmp_path.glob("*/*/results/**/mlperf_log_detail.txt")
        if "TEST" not in str(path)
    ]
    assert len(logs) >= 4
    for path in logs:
        validity = explain(read_detail(path), None, load_round(round_name), benchmark=benchmark)
        assert validity.status == ("NOT JUDGED" if "accuracy" in path.parts else "VALID")
        assert validity.findings == ()
        assert validity.comparable


@pytest.mark.parametrize(
    ("scenario", "key"),
    [
        ("Offline", "result_min_duration_met"),
        ("Offline", "result_min_queries_met"),
        ("Server", "result_perf_constraints_met"),
        ("SingleStream", "early_stopping_met"),
    ],
)
def test_valid_with_a_condition_that_is_not_met_is_an_error(
    tmp_path: Path, scenario: str, key: str
) -> None:
    log = read_detail(write_detail(tmp_path / "log", performance(scenario, **{key: False})), "log")
    (found,) = errors(explain(log, None, V6_1, benchmark="resnet50").findings)
    assert found.rule == "validity.condition_claimed"
    assert key in found.sentence


@pytest.mark.parametrize(
    ("scenario", "key", "value"),
    [
        ("Offline", "performance_issue_same", True),
        ("SingleStream", "performance_issue_unique", True),
        ("MultiStream", "sample_concatenate_permutation", True),
        ("SingleStream", "max_async_queries", 8),
        ("Server", "max_async_queries", 4),
        ("SingleStream", "samples_per_query", 2),
        ("Server", "samples_per_query", 4),
        ("Offline", "max_duration_ms", 700000),
        ("Server", "max_query_count", 10),
    ],
)
def test_a_mode_that_does_other_work_is_an_error(
    tmp_path: Path, scenario: str, key: str, value: object
) -> None:
    log = read_detail(
        write_detail(tmp_path / "log", performance(scenario, **{f"effective_{key}": value})), "log"
    )
    asked = asked_from(spec(scenario, settings={}))
    (found,) = errors(explain(log, asked, V6_1).findings)
    assert found.rule == "settings.mode"
    assert found.found == str(value).lower()


def test_a_compliance_test_may_repeat_one_sample(tmp_path: Path) -> None:
    changes = {"effective_performance_issue_same": True}
    log = read_detail(write_detail(tmp_path / "log", performance("Offline", **changes)), "log")
    asked = asked_from({**spec("Offline", settings={}), "test": "TEST04"})
    assert list(departures(log, test=asked.test)) == []
    ordinary = asked_from(spec("Offline", settings={}))
    assert [one.rule for one in departures(log, test=ordinary.test)] == ["settings.mode"]


@pytest.mark.parametrize(
    ("made", "rules"), [(65999, ["settings.generated"]), (66000, []), (66001, [])]
)
def test_queries_are_made_of_as_many_samples_as_were_set(
    tmp_path: Path, made: int, rules: list[str]
) -> None:
    longest_ns = round(made * 1e9 / 109.5)
    changes = {"generated_samples_per_query": made, "result_max_latency_ns": longest_ns}
    log = read_detail(write_detail(tmp_path / "log", performance("Offline", **changes)), "log")
    assert [one.rule for one in of_itself(log)] == rules


def test_an_accuracy_run_makes_no_queries_of_a_set_size(tmp_path: Path) -> None:
    entries = accuracy("Offline", generated_samples_per_query=65999)
    log = read_detail(write_detail(tmp_path / "log", entries), "log")
    assert list(of_itself(log)) == []


def test_other_harnesses_may_set_a_longest_time(tmp_path: Path) -> None:
    entries = performance("Offline", effective_max_duration_ms=700000)
    assert judged(tmp_path, entries).findings == ()


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_fewer_queries_than_a_valid_run_must_have(tmp_path: Path, scenario: str) -> None:
    for more, claimed in ((0, False), (1, True)):
        entries = performance(scenario)
        entries["effective_min_query_count"] = entries["result_query_count"] + more
        rules = [one.rule for one in judged(tmp_path, entries).findings]
        assert ("validity.queries_claimed" in rules) is claimed
