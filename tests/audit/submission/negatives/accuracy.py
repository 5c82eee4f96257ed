"""Trees whose score is not whole, or not high enough."""

from __future__ import annotations

from audit.submission.subject import ACCURACY_LOG, ACCURACY_TEXT, DETAIL, SUMMARY
from tests.audit import written_logs
from tests.audit.submission import samples
from tests.audit.submission.negatives import breaks
from tests.audit.submission.negatives.performance import too_large
from tests.audit.submission.trees import SampleTree, change_log, change_text, write


def _state(tree: SampleTree, score: str, log_hash: str = samples.HASH) -> None:
    write(tree.accuracy() / ACCURACY_TEXT, f"{score}\n\nhash={log_hash}\n")


@breaks("ACC-001", also=("STR-015",))
def score_too_large_to_be_read(tree: SampleTree) -> None:
    too_large(tree.accuracy() / ACCURACY_TEXT)


@breaks("ACC-002")
def broken_line_of_the_accuracy_run(tree: SampleTree) -> None:
    change_log(tree.accuracy(), {}, ':::MLLOG {"key" "sut_name", "value": 1}\n')


@breaks("ACC-003")
def library_of_two_sizes(tree: SampleTree) -> None:
    path = tree.accuracy() / DETAIL
    write(path, written_logs.line("qsl_reported_total_count", 500) + path.read_text("utf-8"))


@breaks("ACC-004")
def error_in_the_accuracy_run(tree: SampleTree) -> None:
    change_log(
        tree.accuracy(), {}, written_logs.line("error_runtime", "no response", is_error=True)
    )
    change_text(tree.accuracy() / SUMMARY, "No errors encountered", "1 ERROR encountered")


@breaks("ACC-020")
def summary_of_an_accuracy_run_with_errors(tree: SampleTree) -> None:
    change_text(tree.accuracy() / SUMMARY, "No errors encountered", "3 ERRORS encountered")


@breaks("ACC-002")
def accuracy_log_in_utf_16(tree: SampleTree) -> None:
    path = tree.accuracy() / DETAIL
    write(path, path.read_text("utf-8").encode("utf-16"))


@breaks("ACC-005")
def accuracy_made_in_performance_mode(tree: SampleTree) -> None:
    change_log(tree.accuracy(), {"effective_test_mode": "PerformanceOnly"})


@breaks("ACC-006")
def accuracy_with_another_seed(tree: SampleTree) -> None:
    change_log(tree.accuracy(), {"effective_qsl_rng_seed": 1})


@breaks("ACC-007")
def dataset_of_500(tree: SampleTree) -> None:
    change_log(tree.accuracy(), {"qsl_reported_total_count": 500})


@breaks("ACC-008")
def only_the_first_part_sent(tree: SampleTree) -> None:
    sent = {"generated_query_count": 1, "generated_samples_per_query": 1024}
    more = "".join(written_logs.line(key, value) for key, value in sent.items())
    change_log(tree.accuracy(), {}, more)


@breaks("ACC-009")
def accuracy_of_another_scenario(tree: SampleTree) -> None:
    change_log(tree.accuracy(), {"effective_scenario": "SingleStream"})


@breaks("ACC-010")
def two_scores(tree: SampleTree) -> None:
    good = samples.SCORES["resnet"]
    _state(tree, f"accuracy=75.7%\n{good}")


@breaks("ACC-010", division="open")
def no_score(tree: SampleTree) -> None:
    _state(tree, "")


@breaks("ACC-011")
def score_as_a_fraction(tree: SampleTree) -> None:
    _state(tree, "accuracy=0.76456, good=38228, total=50000")


@breaks("ACC-011")
def score_with_a_comma(tree: SampleTree) -> None:
    _state(tree, "accuracy=76,456%, good=38228, total=50000")


@breaks("ACC-011")
def score_nan(tree: SampleTree) -> None:
    _state(tree, "accuracy=nan%, good=38228, total=50000")


@breaks("ACC-011")
def f1_without_exact_match(tree: SampleTree) -> None:
    _state(tree.of("bert-99"), '{"f1": 90.15}')


@breaks("ACC-012")
def score_above_100(tree: SampleTree) -> None:
    _state(tree, "accuracy=176.078%")


@breaks("ACC-011")
def score_in_other_digits(tree: SampleTree) -> None:
    _state(tree, "accuracy=٧٦.٠٦٢%, good=38031, total=50000")


@breaks("ACC-011")
def counts_in_other_digits(tree: SampleTree) -> None:
    _state(tree, "accuracy=76.062%, good=٣٨٠٣١, total=50000")


@breaks("ACC-013")
def percentage_below_what_its_counts_make(tree: SampleTree) -> None:
    _state(tree, "accuracy=75.856%, good=38031, total=50000")


@breaks("ACC-019")
def percentage_above_what_its_counts_make(tree: SampleTree) -> None:
    _state(tree, "accuracy=76.456%, good=38031, total=50000")


@breaks("ACC-019", division="open")
def percentage_that_open_may_not_make_up_either(tree: SampleTree) -> None:
    _state(tree, "accuracy=99.9%, good=38031, total=50000")


@breaks("ACC-019")
def percentage_just_beyond_its_rounding(tree: SampleTree) -> None:
    _state(tree, "accuracy=76.063%, good=38031, total=50000")


@breaks("ACC-014")
def score_below_the_target(tree: SampleTree) -> None:
    _state(tree, "accuracy=75.694%, good=37847, total=50000")


@breaks("ACC-014", also=("ACC-019",))
def counts_below_the_target(tree: SampleTree) -> None:
    _state(tree, "accuracy=76.078%, good=37847, total=50000")


@breaks("ACC-014")
def f1_below_the_target(tree: SampleTree) -> None:
    _state(tree.of("bert-99"), '{"exact_match": 82.8, "f1": 89.9}')


@breaks("ACC-015")
def no_hash(tree: SampleTree) -> None:
    change_text(tree.accuracy() / ACCURACY_TEXT, f"hash={samples.HASH}", "")


@breaks("ACC-015")
def two_hashes(tree: SampleTree) -> None:
    _state(tree, samples.SCORES["resnet"], f"{samples.HASH}\nhash={samples.HASH}")


@breaks("ACC-015")
def hash_of_63_digits(tree: SampleTree) -> None:
    _state(tree, samples.SCORES["resnet"], samples.HASH[1:])


@breaks("ACC-016")
def log_of_10241_bytes(tree: SampleTree) -> None:
    path = tree.accuracy() / ACCURACY_LOG
    write(path, path.read_text("utf-8").ljust(10241))


@breaks("ACC-017")
def no_answers(tree: SampleTree) -> None:
    write(tree.accuracy() / ACCURACY_LOG, "[\n]\n")


@breaks("ACC-018")
def score_of_500_samples(tree: SampleTree) -> None:
    _state(tree, "accuracy=80.000%, good=400, total=500")


@breaks("ACC-002")
def empty_log_of_the_accuracy_run(tree: SampleTree) -> None:
    write(tree.accuracy() / DETAIL, "")


@breaks("ACC-021")
def answers_numbered_as_in_a_test(tree: SampleTree) -> None:
    path = tree.accuracy() / ACCURACY_LOG
    change_text(path, '"seq_id" : 49999,', '"seq_id" : 196926,')
