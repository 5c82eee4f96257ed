"""A log edited in one place contradicts another place of it, or the summary beside it."""

from __future__ import annotations

import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.logs import window
from audit.logs.loadgen_log import DetailLog, read_detail
from audit.runs import latencies, summary
from tests.audit.written_logs import holding

LATENCIES = {
    "result_min_latency_ns": 2410494,
    "result_mean_latency_ns": 5276104,
    "result_50.00_percentile_latency_ns": 5219051,
    "result_90.00_percentile_latency_ns": 6782698,
    "result_99.00_percentile_latency_ns": 7897040,
    "result_99.90_percentile_latency_ns": 9162239,
    "result_max_latency_ns": 9289440,
}
SERVER: Mapping[str, object] = {
    "effective_scenario": "Server",
    "effective_target_latency_ns": 15000000,
    "result_validity": "VALID",
    "result_overlatency_query_count": 0,
    "result_completed_samples_per_sec": 3695.21,
    "result_scheduled_samples_per_sec": 3719.98,
    **LATENCIES,
}
"""What LoadGen 6.0 logged of a short run on a simulated device, and its summary of it."""
TEXT = """================================================
MLPerf Results Summary
================================================
SUT name : PyFastSUT
Scenario : Server
Mode     : PerformanceOnly
Completed samples per second    : 3695.21
Result is : VALID
  Early stopping satisfied: Yes
Scheduled samples per second : 3719.98
Min latency (ns)                : 2410494
Max latency (ns)                : 9289440
Mean latency (ns)               : 5276104
50.00 percentile latency (ns)   : 5219051
90.00 percentile latency (ns)   : 6782698
99.00 percentile latency (ns)   : 7897040
99.90 percentile latency (ns)   : 9162239
target_latency (ns): 15000000
"""


def log_of(**changes: object) -> DetailLog:
    return holding({**SERVER, **changes})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mlperf_log_summary.txt").write_text(TEXT, encoding="utf-8")
    return tmp_path


def test_what_loadgen_wrote_agrees(folder: Path) -> None:
    assert list(latencies.contradictions(log_of())) == []
    assert list(summary.contradictions(folder, log_of())) == []


@pytest.mark.parametrize(
    "key", [key for key, value in SERVER.items() if key.startswith("result_") and value]
)
def test_any_number_that_differs_from_the_summary_is_named(folder: Path, key: str) -> None:
    value = SERVER[key]
    edited = value * 0.99 if isinstance(value, int | float) else "INVALID"
    (found,) = summary.contradictions(folder, log_of(**{key: edited}))
    assert (found.rule, found.severity) == ("log.summary", "error")
    assert key in found.sentence


def test_a_summary_that_says_invalid_is_named(folder: Path) -> None:
    text = TEXT.replace("Result is : VALID", "Result is : INVALID")
    (folder / "mlperf_log_summary.txt").write_text(text, encoding="utf-8")
    (found,) = summary.contradictions(folder, log_of())
    assert (found.found, found.expected) == ("VALID", "INVALID")


WHOLE: Mapping[str, object] = {
    "sut_name": "PyFastSUT",
    "effective_test_mode": "PerformanceOnly",
    "effective_max_duration_ms": 0,
    "effective_qsl_rng_seed": 2085463073848966840,
    "effective_print_timestamps": False,
    "effective_performance_issue_same": False,
    "effective_target_qps": 4040.5,
    "early_stopping_met": True,
    "early_stopping_result": " * Run successful.",
}
"""More of such a log, and what the summary says of it."""
MORE = """Early Stopping Result:
 * Run successful.

================================================
Test Parameters Used
================================================
max_duration (ms): 0
qsl_rng_seed : 2085463073848966840
print_timestamps : 0
performance_issue_same : 0
target_qps : 4040.5

No warnings encountered during test.

No errors encountered during test.
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("PyFastSUT", "AnotherSUT"),
        ("Scenario : Server", "Scenario : Offline"),
        ("PerformanceOnly", "AccuracyOnly"),
        ("max_duration (ms): 0", "max_duration (ms): 660000"),
        ("qsl_rng_seed : 2085463073848966840", "qsl_rng_seed : 2085463073848966841"),
        ("print_timestamps : 0", "print_timestamps : 1"),
        ("performance_issue_same : 0", "performance_issue_same : yes"),
        ("target_qps : 4040.5", "target_qps : 4040.7"),
        ("target_latency (ns): 15000000", "target_latency (ns): 99000000"),
        ("satisfied: Yes", "satisfied: NO"),
        ("* Run successful.", "* Run unsuccessful."),
        ("No errors", "3 ERRORS"),
        ("No warnings", "1 warning"),
    ],
)
def test_every_line_of_the_summary_is_compared(old: str, new: str) -> None:
    log, text = log_of(**WHOLE), TEXT + MORE
    assert list(summary.disagreements(text, log)) == []
    (found,) = summary.disagreements(text.replace(old, new, 1), log)
    assert found.rule == "log.summary"


def test_a_second_summary_is_named_and_compared() -> None:
    twice = TEXT + TEXT
    found = [one.rule for one in summary.disagreements(twice, log_of(**WHOLE))]
    assert found == ["log.summary_twice", "log.summary_twice"]
    invalid = TEXT + TEXT.replace(": VALID", ": INVALID")
    found = [one.rule for one in summary.disagreements(invalid, log_of(**WHOLE))]
    assert found == ["log.summary_twice", "log.summary_twice", "log.summary"]


def test_without_a_summary_nothing_is_compared(tmp_path: Path) -> None:
    assert list(summary.contradictions(tmp_path, log_of(result_validity="INVALID"))) == []


@given(key=st.sampled_from(sorted(LATENCIES)), factor=st.sampled_from([0.01, 0.1, 10.0, 100.0]))
def test_a_latency_out_of_order_is_a_finding(key: str, factor: float) -> None:
    edges = {("result_min_latency_ns", True), ("result_max_latency_ns", False)}
    edited = log_of(**{key: LATENCIES[key] * factor})
    found = [one.rule for one in latencies.contradictions(edited)]
    if (key, factor < 1) in edges:
        assert set(found) <= {"log.late"}
    else:
        assert "log.order" in found


@pytest.mark.parametrize(
    ("limit_ns", "late", "expected"),
    [
        (15000000, 1, "0"),
        (9289440, 1, "0"),
        (9289439, 0, "1"),
        (9289439, 3, "1"),
        (7897040, 20, "2 to 19"),
        (7897039, 19, "20 to 199"),
        (6782698, 200, "20 to 199"),
        (2410493, 1999, "2000"),
    ],
)
def test_late_queries_are_those_whose_latencies_lie_beyond_the_limit(
    limit_ns: int, late: int, expected: str
) -> None:
    queries = {"result_query_count": 2000, "effective_target_latency_ns": limit_ns}
    (found,) = latencies.contradictions(log_of(result_overlatency_query_count=late, **queries))
    assert (found.rule, found.expected) == ("log.late", expected)


@given(st.lists(st.integers(1, 30), min_size=1, max_size=300), st.integers(1, 30))
def test_the_late_queries_of_any_latencies_agree_with_them(drawn: list[int], limit: int) -> None:
    ordered, count = sorted(drawn), len(drawn)
    shares = {"50.00": 0.5, "90.00": 0.9, "97.00": 0.97, "99.90": 0.999}
    log = log_of(
        result_query_count=count,
        effective_target_latency_ns=limit,
        result_overlatency_query_count=sum(one > limit for one in ordered),
        result_min_latency_ns=ordered[0],
        result_mean_latency_ns=None,
        result_max_latency_ns=ordered[-1],
        **{
            f"result_{name}_percentile_latency_ns": ordered[int(count * share)]
            for name, share in shares.items()
        },
        **{"result_99.00_percentile_latency_ns": None},
    )
    assert list(latencies.contradictions(log)) == []


def test_two_marks_of_one_millisecond_are_no_clock_that_ran_backwards() -> None:
    mark = "08-04-2025 09:58:51.065"
    log = log_of(power_begin=mark, power_end=mark)
    assert window.measured_ns(log) == 0
    assert list(window.complaints(log)) == []


def test_rates_of_the_summary_have_two_decimals(folder: Path) -> None:
    path = folder / "mlperf_log_summary.txt"
    path.write_text(TEXT.replace(": 3695.21", ": 7.60"), encoding="utf-8")
    assert (
        list(summary.contradictions(folder, log_of(result_completed_samples_per_sec=7.59666))) == []
    )
    (found,) = summary.contradictions(folder, log_of(result_completed_samples_per_sec=7.61))
    assert found.expected == "7.60"


def test_the_summary_of_multistream_is_of_whole_queries(folder: Path) -> None:
    per_sample = dict.fromkeys(LATENCIES, 5)
    per_query = {
        "result_min_query_latency_ns": 2410494,
        "result_99.00_percentile_per_query_latency_ns": 7897040,
    }
    changes = {"effective_scenario": "MultiStream", **per_sample, **per_query}
    text = TEXT.replace("Scenario : Server", "Scenario : MultiStream")
    (folder / summary.SUMMARY).write_text(text, encoding="utf-8")
    assert list(summary.contradictions(folder, log_of(**changes))) == []
    changes["result_99.00_percentile_per_query_latency_ns"] = 7897041 * 2
    (found,) = summary.contradictions(folder, log_of(**changes))
    assert "per_query" in found.sentence


@pytest.mark.parametrize("tree", ["R", "B", "O", "N1"])
def test_published_logs_agree_with_their_summaries(shared: Path, tmp_path: Path, tree: str) -> None:
    with tarfile.open(shared / f"cases/submissions/{tree}.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    compared = 0
    for path in tmp_path.rglob("mlperf_log_detail.txt"):
        log = read_detail(path)
        compared += (path.parent / summary.SUMMARY).is_file()
        assert list(summary.contradictions(path.parent, log)) == []
        assert list(latencies.contradictions(log)) == []
    assert compared >= 4
