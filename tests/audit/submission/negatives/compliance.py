"""Trees whose compliance tests are none, or are not passed."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from audit.submission.subject import ACCURACY_LOG, ACCURACY_TEXT, DETAIL, SUMMARY
from tests.audit import written_logs
from tests.audit.submission import samples
from tests.audit.submission.negatives import breaks
from tests.audit.submission.negatives.performance import measured, too_large
from tests.audit.submission.trees import SampleTree, change_log, change_text, write

VERIFY_ACCURACY, VERIFY_PERFORMANCE = "verify_accuracy.txt", "verify_performance.txt"


def _differing(tree: SampleTree, scores: tuple[str, ...] = ()) -> Path:
    """A TEST01 some of whose answers differ, with scores for both runs where they are given."""
    folder = tree.test("TEST01")
    change_text(folder / VERIFY_ACCURACY, "num_perf_log_data_mismatch = 0", _mismatches(24))
    change_text(folder / VERIFY_ACCURACY, "TEST PASS", "TEST FAIL")
    names = ("baseline_accuracy.txt", "compliance_accuracy.txt")
    for name, score in zip(names, scores, strict=False):
        write(folder / "accuracy" / name, score + "\n")
    return folder


def _mismatches(count: int) -> str:
    return f"num_perf_log_data_mismatch = {count}"


@breaks("TEST-001", also=("STR-015",))
def log_of_a_test_too_large_to_be_read(tree: SampleTree) -> None:
    too_large(tree.test_run("TEST04") / DETAIL)


@breaks("TEST-002")
def broken_line_of_a_test(tree: SampleTree) -> None:
    change_log(tree.test_run("TEST04"), {}, ':::MLLOG {"key" "sut_name", "value": 1}\n')


@breaks("TEST-003")
def test_called_invalid(tree: SampleTree) -> None:
    changes = {"result_validity": "INVALID", "result_min_duration_met": False}
    measured(tree.test_run("TEST01"), changes)


@breaks("TEST-004")
def summary_of_a_test_cut(tree: SampleTree) -> None:
    path = tree.test_run("TEST01") / SUMMARY
    write(path, path.read_text("utf-8").partition("Result is")[0])


@breaks("TEST-005")
def no_answers_were_to_be_sampled(tree: SampleTree) -> None:
    change_log(tree.test_run("TEST01"), {"effective_accuracy_log_sampling_target": 0})


@breaks("TEST-005")
def ordinary_run_as_test04(tree: SampleTree) -> None:
    changes = {"effective_performance_issue_same": False}
    change_log(tree.test_run("TEST04"), changes)


@breaks("TEST-005", also=("TEST-008",))
def performance_run_as_test01(tree: SampleTree) -> None:
    for name in (DETAIL, SUMMARY):
        shutil.copy(tree.performance() / name, tree.test_run("TEST01") / name)


@breaks("TEST-006")
def test_of_a_minute(tree: SampleTree) -> None:
    change_log(tree.test_run("TEST04"), {"effective_min_duration_ms": 60000})


@breaks("TEST-006")
def test_of_few_samples(tree: SampleTree) -> None:
    change_log(tree.test_run("TEST04"), {"effective_performance_sample_count": 512})


@breaks("TEST-007")
def test_of_another_scenario(tree: SampleTree) -> None:
    shutil.rmtree(tree.test("TEST01"))
    shutil.copytree(tree.test("TEST01", "SingleStream"), tree.test("TEST01"))


@breaks("TEST-008")
def performance_run_called_a_test(tree: SampleTree) -> None:
    change_log(tree.test_run("TEST01"), dict(samples.hour_of("performance")))


@breaks("TEST-009")
def half_as_fast_in_the_test(tree: SampleTree) -> None:
    changes = {"effective_samples_per_query": 33000, "result_samples_per_second": 54.75}
    measured(tree.test_run("TEST01"), changes)
    change_text(
        tree.test("TEST01") / VERIFY_PERFORMANCE, "test score = 109.5", "test score = 54.75"
    )


@breaks("TEST-009")
def one_sample_twice_as_fast(tree: SampleTree) -> None:
    changes = {"effective_samples_per_query": 132000, "result_samples_per_second": 219.0}
    measured(tree.test_run("TEST04"), changes)
    change_text(tree.test("TEST04") / VERIFY_PERFORMANCE, "test score = 109.5", "test score = 219")


@breaks("TEST-010")
def speed_of_another_test(tree: SampleTree) -> None:
    change_text(tree.test("TEST01") / VERIFY_PERFORMANCE, "test score = 109.5", "test score = 44")


@breaks("TEST-010")
def no_speed_of_the_test(tree: SampleTree) -> None:
    write(tree.test("TEST01") / VERIFY_PERFORMANCE, "reference score = 109.5\nTEST PASS\n")


@breaks("TEST-011")
def speed_said_to_fail(tree: SampleTree) -> None:
    change_text(tree.test("TEST04") / VERIFY_PERFORMANCE, "TEST PASS", "TEST FAIL")


@breaks("TEST-012")
def speed_beside_another_run(tree: SampleTree) -> None:
    path = tree.test("TEST04") / VERIFY_PERFORMANCE
    change_text(path, "reference score = 109.5", "reference score = 108")


@breaks("TEST-013")
def no_counts(tree: SampleTree) -> None:
    write(tree.test("TEST01") / VERIFY_ACCURACY, "TEST PASS\n")


@breaks("TEST-014")
def answers_that_were_not_compared(tree: SampleTree) -> None:
    path = tree.test("TEST01") / VERIFY_ACCURACY
    change_text(path, "num_missing_qsl_idxs = 0", "num_missing_qsl_idxs = 5")
    change_text(path, "TEST PASS", "TEST FAIL")


@breaks("TEST-014")
def compared_with_a_part_of_the_accuracy_run(tree: SampleTree) -> None:
    path = tree.test("TEST01") / VERIFY_ACCURACY
    change_text(path, "num_acc_log_entries = 50000", "num_acc_log_entries = 500")


@breaks("TEST-015")
def fail_over_counts_that_pass(tree: SampleTree) -> None:
    change_text(tree.test("TEST01") / VERIFY_ACCURACY, "TEST PASS", "TEST FAIL")


@breaks("TEST-015")
def pass_over_counts_that_fail(tree: SampleTree) -> None:
    score = samples.SCORES["resnet"]
    folder = _differing(tree, (score, score))
    change_text(folder / VERIFY_ACCURACY, "TEST FAIL", "TEST PASS")


@breaks("TEST-016")
def answers_differ_and_are_not_scored(tree: SampleTree) -> None:
    _differing(tree)


@breaks("TEST-017")
def two_percent_apart(tree: SampleTree) -> None:
    f1 = '{{"exact_match": 25.8, "f1": {}}}'
    _differing(tree.of("bert-99"), (f1.format(28.2), f1.format(27.6)))


@breaks("TEST-017")
def nothing_right(tree: SampleTree) -> None:
    f1 = '{"exact_match": 0.0, "f1": 0.0}'
    _differing(tree.of("bert-99"), (f1, f1))


@breaks("TEST-018")
def other_answer_that_both_logs_show(tree: SampleTree) -> None:
    path = tree.test("TEST01") / "accuracy" / ACCURACY_LOG
    change_text(path, '"qsl_idx" : 0, "data" : "00000000"', '"qsl_idx" : 0, "data" : "01000000"')


@breaks("TEST-019")
def log_of_a_test_not_truncated(tree: SampleTree) -> None:
    path = tree.test("TEST01") / "accuracy" / ACCURACY_LOG
    write(path, path.read_text("utf-8").ljust(10241))


@breaks("TEST-020")
def test_without_answers(tree: SampleTree) -> None:
    write(tree.test("TEST01") / "accuracy" / ACCURACY_LOG, "[\n]\n")


@breaks("TEST-021")
def test_without_hash(tree: SampleTree) -> None:
    write(tree.test("TEST01") / "accuracy" / ACCURACY_TEXT, "\n")


@breaks("TEST-022")
def summary_of_another_test(tree: SampleTree) -> None:
    change_text(tree.test_run("TEST01") / SUMMARY, "second: 109.5", "second: 219")


@breaks("TEST-002")
def empty_log_of_a_test(tree: SampleTree) -> None:
    write(tree.test_run("TEST01") / DETAIL, "")


@breaks("TEST-003")
def library_smaller_than_the_test_used(tree: SampleTree) -> None:
    change_log(tree.test_run("TEST04"), {"effective_performance_sample_count": 60000})


def _count(tree: SampleTree, sampled: int) -> None:
    """Let the test say that so many answers were sampled and compared."""
    path = tree.test("TEST01") / VERIFY_ACCURACY
    text = path.read_text("utf-8")
    write(path, _SAMPLED.sub(rf"\1 = {sampled}", text))


_SAMPLED = re.compile("(num_perf_log_(?:entries|qsl_idx_match)) = [0-9]+")


@breaks("TEST-023")
def fewer_counted_than_shown(tree: SampleTree) -> None:
    _count(tree, 9)


@breaks("TEST-024")
def fewer_counted_than_the_test_sampled(tree: SampleTree) -> None:
    """4,096 of an expected 60,000 are 4,506 of the 66,000 that were sent, or some hundreds more or
    less."""
    more = written_logs.line("effective_min_sample_count", 60000)
    measured(tree.test_run("TEST01"), {}, more)
    _count(tree, 3900)


@breaks("TEST-025")
def answers_of_the_test_as_those_of_the_accuracy_run(tree: SampleTree) -> None:
    shutil.copy(tree.test("TEST01") / "accuracy" / ACCURACY_LOG, tree.accuracy() / ACCURACY_LOG)
