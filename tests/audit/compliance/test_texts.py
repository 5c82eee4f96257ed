"""verify_accuracy.txt and verify_performance.txt, in the form in which submissions hold them."""

from __future__ import annotations

from audit.compliance.answers import compare_answers
from audit.compliance.speed import compare_speed
from audit.compliance.texts import verify_accuracy_text, verify_performance_text
from audit.compliance_tests import compliance_test
from audit.rules import load_round
from tests.audit.compliance.records import records


def performance_text(test: str, scenario: str, reference: float, measured: float) -> str:
    metric = load_round("v6.1").benchmark("resnet50").metric(scenario)
    rule = compliance_test(test).speed
    return verify_performance_text(compare_speed(rule, scenario, metric, reference, measured))


def test_counts_of_answers() -> None:
    accuracy = records([(0, b"a"), (1, b"b"), (1, b"c"), (0, b"a")])
    sampled = records([(0, b"a"), (1, b"x"), (7, b"a")])
    assert verify_accuracy_text(compare_answers(sampled, accuracy)) == (
        "Verifying accuracy. This might take a while...\n"
        "Reading accuracy mode results...\n"
        "Reading performance mode results...\n"
        "num_acc_log_entries = 4\n"
        "num_acc_log_duplicate_keys = 2\n"
        "num_acc_log_data_mismatch = 1\n"
        "num_perf_log_entries = 3\n"
        "num_perf_log_qsl_idx_match = 2\n"
        "num_perf_log_data_mismatch = 1\n"
        "num_missing_qsl_idxs = 1\n"
        "TEST FAIL\n\n"
    )
    same = compare_answers(records([(0, b"a")]), accuracy)
    assert verify_accuracy_text(same).endswith("num_missing_qsl_idxs = 0\nTEST PASS\n\n")


def test_scores_as_the_log_gives_them() -> None:
    assert performance_text("TEST01", "SingleStream", 1010858, 1010329) == (
        "Verifying performance.\nreference score = 1010858\ntest score = 1010329\nTEST PASS\n"
    )
    assert performance_text("TEST04", "SingleStream", 305005, 303994) == (
        "Verifying performance.\n"
        "reference score = 3278.634776479074\n"
        f"test score = {1e9 / 303994}\n"
        "TEST PASS\n"
    )


def test_a_failure_names_the_difference_and_the_limit() -> None:
    text = performance_text("TEST01", "Offline", 100.0, 50.0)
    assert text.endswith("test score = 50.0\nTEST FAIL: -50.00 %, limit 10 %\n")
