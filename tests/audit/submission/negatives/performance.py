"""Trees whose performance run is no result."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from audit.submission.subject import ACCURACY_LOG, DETAIL, SUMMARY
from tests.audit import written_logs
from tests.audit.submission import samples
from tests.audit.submission.negatives import breaks
from tests.audit.submission.trees import SampleTree, change_log, change_text, write

TOO_LARGE_BYTES = 51 * 2**20
FIRST_TOKEN = "result_first_token_99.00_percentile_latency_ns"
EACH_TOKEN = "result_time_per_output_token_99.00_percentile_ns"


def measured(folder: Path, changes: Mapping[str, object], more: str = "") -> None:
    """Change a run: its detail log, and its summary with it."""
    change_log(folder, changes, more)
    write(folder / SUMMARY, samples.summary((folder / DETAIL).read_text("utf-8")))


def too_large(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(TOO_LARGE_BYTES)


def server(tree: SampleTree, changes: Mapping[str, object], benchmark: str = "resnet50") -> None:
    """An entry of Server, which the open division may have."""
    rules = tree.round.listed(benchmark)
    assert rules is not None
    added = tree.of(benchmark)
    shutil.copytree(tree.results(), added.results("Server"))
    detail = samples.performance(tree.round, rules, "Server", **changes)
    write(added.performance("Server") / DETAIL, detail)
    write(added.performance("Server") / SUMMARY, samples.summary(detail))
    write(added.accuracy("Server") / DETAIL, samples.accuracy(tree.round, rules, "Server"))


def copied(tree: SampleTree, scenario: str, to: str) -> Path:
    """The performance run of one scenario offered as that of another; its new folder."""
    shutil.rmtree(tree.performance(to))
    shutil.copytree(tree.performance(scenario), tree.performance(to))
    return tree.performance(to)


@breaks("PERF-001", also=("STR-015",))
def log_too_large_to_be_read(tree: SampleTree) -> None:
    too_large(tree.performance() / DETAIL)


@breaks("PERF-002")
def log_cut_in_a_line(tree: SampleTree) -> None:
    change_log(tree.performance(), {}, ':::MLLOG {"key": "num_err')


@breaks("PERF-002")
def log_with_a_broken_line(tree: SampleTree) -> None:
    change_log(tree.performance(), {}, ':::MLLOG {"key" "sut_name", "value": 1}\n')


@breaks("PERF-002")
def log_that_is_not_utf_8(tree: SampleTree) -> None:
    path = tree.performance() / DETAIL
    write(path, path.read_bytes() + b"\xff\n")


@breaks("PERF-002")
def log_in_utf_16(tree: SampleTree) -> None:
    path = tree.performance() / DETAIL
    write(path, path.read_text("utf-8").encode("utf-16"))


@breaks("PERF-002")
def log_padded_with_nul(tree: SampleTree) -> None:
    path = tree.performance() / DETAIL
    write(path, path.read_bytes() + b"\0" * 100)


@breaks("PERF-002")
def nul_before_a_line(tree: SampleTree) -> None:
    path = tree.performance() / DETAIL
    write(path, b"\0\0" + path.read_bytes())


@breaks("PERF-002")
def empty_log(tree: SampleTree) -> None:
    write(tree.performance() / DETAIL, "")


@breaks("PERF-003")
def metric_twice(tree: SampleTree) -> None:
    path = tree.performance() / DETAIL
    write(path, written_logs.line("result_samples_per_second", 1095.0) + path.read_text("utf-8"))


@breaks("PERF-003", division="open", also=("PERF-019",))
def metric_that_is_no_number(tree: SampleTree) -> None:
    change_log(tree.performance(), {"result_samples_per_second": float("nan")})


@breaks("PERF-004")
def called_invalid(tree: SampleTree) -> None:
    changes = {"result_validity": "INVALID", "result_min_duration_met": False}
    measured(tree.performance(), changes)


@breaks("PERF-004")
def without_verdict(tree: SampleTree) -> None:
    change_log(tree.performance(), {"result_validity": None})


@breaks("PERF-005")
def early_stopping_not_met(tree: SampleTree) -> None:
    change_log(tree.performance("SingleStream"), {"early_stopping_met": False})


@breaks("PERF-005")
def early_stopping_met_by_a_text(tree: SampleTree) -> None:
    change_log(tree.performance(), {"early_stopping_met": "true"})


@breaks("PERF-005", also=("PERF-020",))
def five_seconds_long(tree: SampleTree) -> None:
    begin = samples.hour_of("performance")["power_begin"]
    change_log(tree.performance(), {"power_end": begin.replace(":00.000", ":05.000")})


@breaks("PERF-006")
def error_line(tree: SampleTree) -> None:
    more = written_logs.line("error_runtime", "Scheduled too many queries", is_error=True)
    change_log(tree.performance(), {"num_errors": 1}, more)
    change_text(tree.performance() / SUMMARY, "No errors encountered", "1 ERROR encountered")


@breaks("PERF-007")
def made_in_accuracy_mode(tree: SampleTree) -> None:
    measured(tree.performance(), {"effective_test_mode": "AccuracyOnly"})


@breaks("PERF-008", division="open")
def offline_offered_as_single_stream(tree: SampleTree) -> None:
    copied(tree, "Offline", "SingleStream")


@breaks("PERF-009")
def seed_of_nobody(tree: SampleTree) -> None:
    change_log(tree.performance(), {"effective_schedule_rng_seed": 1})


@breaks("PERF-010")
def few_different_samples(tree: SampleTree) -> None:
    change_log(tree.performance(), {"effective_performance_sample_count": 512})


@breaks("PERF-010", also=("PERF-030",))
def library_of_16_samples(tree: SampleTree) -> None:
    change_log(tree.performance(), {"qsl_reported_total_count": 16})


@breaks("PERF-011")
def few_samples_loaded(tree: SampleTree) -> None:
    change_log(tree.performance(), {}, written_logs.line("loaded_qsl_set", list(range(500))))


@breaks("PERF-011")
def one_sample_loaded_again_and_again(tree: SampleTree) -> None:
    change_log(tree.performance(), {}, written_logs.line("loaded_qsl_set", [7] * 2048))


@breaks("PERF-011")
def list_of_loaded_samples_cut(tree: SampleTree) -> None:
    listed = written_logs.line("loaded_qsl_set", list(range(2048))).replace("2047]", "2047,]")
    change_log(tree.performance(), {}, listed)


@breaks("PERF-032")
def loaded_sample_beyond_the_library(tree: SampleTree) -> None:
    change_log(
        tree.performance(), {}, written_logs.line("loaded_qsl_set", list(range(48000, 50001)))
    )


@breaks("PERF-032")
def loaded_sample_below_zero(tree: SampleTree) -> None:
    change_log(tree.performance(), {}, written_logs.line("loaded_qsl_set", list(range(-1, 2047))))


@breaks("PERF-032")
def loaded_sample_that_is_no_number(tree: SampleTree) -> None:
    change_log(tree.performance(), {}, written_logs.line("loaded_qsl_set", [*range(2048), 7.5]))


@breaks("PERF-012")
def library_that_holds_few(tree: SampleTree) -> None:
    change_log(tree.performance(), {}, written_logs.line("qsl_reported_performance_count", 500))


@breaks("PERF-013", division="open")
def one_sample_too_few(tree: SampleTree) -> None:
    samples_, longest_ns = 24575, 602739726027
    changes = {
        "effective_samples_per_query": samples_,
        "result_samples_per_second": round(samples_ * 1e9 / longest_ns, 4),
    }
    measured(tree.performance(), changes)


@breaks("PERF-014")
def a_minute_at_least(tree: SampleTree) -> None:
    change_log(tree.performance(), {"effective_min_duration_ms": 60000})


@breaks("PERF-015")
def every_sample_once(tree: SampleTree) -> None:
    change_log(tree.performance(), {"effective_performance_issue_unique": True})


@breaks("PERF-016", division="open")
def limit_of_20_ms(tree: SampleTree) -> None:
    server(tree, {"effective_target_latency_ns": 20_000_000})


@breaks("PERF-017", division="open")
def percentile_90(tree: SampleTree) -> None:
    server(tree, {"effective_target_latency_percentile": 0.9})


@breaks("PERF-018")
def four_samples_a_query(tree: SampleTree) -> None:
    change_log(tree.performance("MultiStream"), {"effective_samples_per_query": 4})


@breaks("PERF-019")
def no_metric(tree: SampleTree) -> None:
    change_log(tree.performance(), {"result_samples_per_second": None})


@breaks("PERF-019", division="open")
def negative_metric(tree: SampleTree) -> None:
    change_log(tree.performance("SingleStream"), {"early_stopping_latency_ss": -5})


@breaks("PERF-020", division="open")
def ten_times_the_rate(tree: SampleTree) -> None:
    measured(tree.performance(), {"result_samples_per_second": 1095.0})


@breaks("PERF-021")
def shortest_latency_above_the_longest(tree: SampleTree) -> None:
    change_log(tree.performance(), {}, written_logs.line("result_min_latency_ns", 10**15))


@breaks("PERF-021", division="open")
def more_late_queries_than_the_tail_leaves(tree: SampleTree) -> None:
    server(tree, {"effective_target_latency_ns": 11_000_000, "result_overlatency_query_count": 429})


@breaks("PERF-022", division="open", also=("PERF-021",))
def tail_above_the_limit(tree: SampleTree) -> None:
    server(tree, {"result_99.00_percentile_latency_ns": 20_000_000})


@breaks("PERF-023", division="open", also=("ENT-001",))
def slow_first_token(tree: SampleTree) -> None:
    rate = {"result_completed_tokens_per_second": 1000.0, "effective_target_latency_ns": 0}
    tokens = {FIRST_TOKEN: 3 * 10**9, EACH_TOKEN: 10**8}
    server(tree, {**rate, **tokens}, "llama2-70b-99.9")


@breaks("PERF-024")
def summary_of_twice_the_rate(tree: SampleTree) -> None:
    change_text(tree.performance() / SUMMARY, "second: 109.5", "second: 219")


@breaks("PERF-024")
def summary_that_says_invalid(tree: SampleTree) -> None:
    change_text(tree.performance() / SUMMARY, "Result is : VALID", "Result is : INVALID")


@breaks("PERF-024")
def summary_of_two_runs(tree: SampleTree) -> None:
    path = tree.performance() / SUMMARY
    write(path, 2 * path.read_text("utf-8"))


@breaks("PERF-024")
def summary_that_counts_errors(tree: SampleTree) -> None:
    path = tree.performance() / SUMMARY
    change_text(path, "No errors encountered", "3 ERRORS encountered")


@breaks("PERF-024")
def summary_of_another_scenario(tree: SampleTree) -> None:
    change_text(tree.performance() / SUMMARY, "Scenario : Offline", "Scenario : Server")


@breaks("PERF-024")
def summary_of_other_parameters(tree: SampleTree) -> None:
    path = tree.performance() / SUMMARY
    write(path, path.read_text("utf-8") + "performance_issue_same : 1\nqsl_rng_seed : 5\n")


@breaks("PERF-025")
def summary_cut_before_the_verdict(tree: SampleTree) -> None:
    path = tree.performance() / SUMMARY
    write(path, path.read_text("utf-8").partition("Result is")[0])


@breaks("PERF-026")
def answers_of_a_whole_run(tree: SampleTree) -> None:
    write(tree.performance() / ACCURACY_LOG, "[\n" + " " * 20000 + "]\n")


@breaks("PERF-027", division="open")
def inferred_from_single_stream(tree: SampleTree) -> None:
    copied(tree, "SingleStream", "MultiStream")


@breaks("PERF-028", division="open", also=("PERF-027",))
def nothing_to_infer_from(tree: SampleTree) -> None:
    change_log(copied(tree, "SingleStream", "MultiStream"), {"early_stopping_latency_ms": 0})


@breaks("PERF-020", division="open", also=("PERF-027",))
def inferred_from_half_the_latency(tree: SampleTree) -> None:
    folder = copied(tree, "SingleStream", "MultiStream")
    change_log(folder, {"early_stopping_latency_ms": 5_500_000})


@breaks("PERF-020", division="open", also=("PERF-027",))
def inferred_from_ten_times_the_rate(tree: SampleTree) -> None:
    folder = copied(tree, "SingleStream", "Offline")
    change_log(folder, {"result_qps_without_loadgen_overhead": 999.9})


@breaks("PERF-020", division="open")
def rate_with_overhead_doubled(tree: SampleTree) -> None:
    change_log(tree.performance("SingleStream"), {"result_qps_with_loadgen_overhead": 199.96})


@breaks("PERF-020", division="open")
def a_tenth_of_every_latency(tree: SampleTree) -> None:
    for scenario in ("SingleStream", "MultiStream"):
        path = tree.performance(scenario) / DETAIL
        entries = [json.loads(line.partition(" ")[2]) for line in path.read_text().splitlines()]
        change_log(path.parent, {one["key"]: one["value"] // 10 for one in entries if _late(one)})


def _late(entry: Mapping[str, Any]) -> bool:
    """Whether it tells a latency that was measured."""
    measured_ = entry["key"].startswith(("result_", "early_stopping_"))
    return measured_ and "_latency_" in entry["key"]


@breaks("PERF-033")
def no_clock(tree: SampleTree) -> None:
    change_log(tree.performance(), {"power_begin": None, "power_end": None})


@breaks("PERF-033")
def clock_that_says_hello(tree: SampleTree) -> None:
    change_log(tree.performance("SingleStream"), {"power_end": "hello"})


@breaks("PERF-033")
def clock_that_runs_backwards(tree: SampleTree) -> None:
    change_log(tree.performance(), {"power_end": "11-30-2026 01:00:00.000"})


@breaks("PERF-033")
def nothing_said_of_early_stopping(tree: SampleTree) -> None:
    change_log(tree.performance(), {"early_stopping_met": None})


@breaks("PERF-034")
def too_few_queries_by_its_words(tree: SampleTree) -> None:
    said = " * Only processed 10 queries.  * Need to process at least 64 queries."
    change_log(
        tree.performance("SingleStream"), {}, written_logs.line("early_stopping_result", said)
    )


@breaks("PERF-034")
def valid_with_a_reason_for_invalid(tree: SampleTree) -> None:
    more = written_logs.line("result_invalid_reason", "Reduce target QPS to improve latency.")
    change_log(tree.performance(), {}, more)


@breaks("PERF-030")
def more_samples_used_than_there_are(tree: SampleTree) -> None:
    change_log(tree.performance(), {"effective_performance_sample_count": 60000})


@breaks("PERF-031", division="open")
def query_smaller_than_it_is_said_to_be(tree: SampleTree) -> None:
    made = 24000
    changes = {"result_samples_per_second": round(made * 1e9 / 602739726027, 4)}
    measured(tree.performance(), changes, written_logs.line("generated_samples_per_query", made))


@breaks("PERF-017")
def percentile_that_is_none(tree: SampleTree) -> None:
    change_log(tree.performance("MultiStream"), {"effective_target_latency_percentile": 1.5})
