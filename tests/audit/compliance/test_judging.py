"""Verdicts on compliance tests, from evidence folders: what passes, what fails and what neither."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from audit import schema
from audit.accuracy.truth import Dataset, Truth
from audit.judge import judge
from audit.verdicts import Audit
from datasets.disk.files import sha256_of, write_json
from datasets.errors import EvidenceError
from datasets.samples.simulated import labels
from tests.audit.compliance.records import floats, one_unit_more
from tests.audit.compliance.tested import METRIC, WithTests
from tests.audit.written_evidence import COUNT, Evidence, record, right_answers, spec
from tests.audit.written_logs import write_accuracy

TEST01_FILES = {"verify_accuracy.txt", "verify_performance.txt"}


@pytest.fixture
def good(tmp_path: Path) -> WithTests:
    return WithTests(tmp_path / "evidence")


def outcomes(audit: Audit) -> dict[str, str]:
    return {one.test: one.outcome for one in audit.compliance}


def said(audit: Audit, rule: str) -> list[str]:
    return [found.sentence for found in audit.findings if found.rule == rule]


def gates_failed(audit: Audit) -> list[str]:
    return [gate.id for gate in audit.gates if not gate.passed]


def with_label(index: int, label: float) -> list[tuple[int, bytes]]:
    return [
        (sample, floats(label) if sample == index else data) for sample, data in right_answers()
    ]


def texts(evidence: WithTests, test: str) -> set[str]:
    folder = evidence.root / "resnet50" / evidence.scenario / test
    return {str(path.relative_to(folder)) for path in folder.rglob("*.txt")} - {
        "performance/run_1/mlperf_log_detail.txt",
        "performance/run_1/mlperf_log_summary.txt",
    }


def test_tests_that_pass_stand_in_the_result_with_their_numbers(good: WithTests) -> None:
    audit = judge(good.root)
    assert outcomes(audit) == {"TEST01": "PASS", "TEST04": "PASS"}
    assert audit.passed
    one, four = schema.read(good.root / "result.json", "result")["compliance"]
    assert one["answers"]["sampled"] == one["answers"]["accuracy_answers"] == COUNT
    assert (one["answers"]["differing"], one["answers"]["missing"]) == (0, 0)
    assert (one["speed"]["reference"], one["speed"]["test"]) == (101.0, 101.0)
    assert one["reference"] == "resnet50/Offline/performance/run_1"
    assert one["scores"] is None
    assert four["answers"] is None
    assert len(one["sources"]) == 4
    for source in (*one["sources"], *four["sources"]):
        assert sha256_of(good.root / source["file"]) == source["sha256"]
    assert texts(good, "TEST01") == TEST01_FILES
    assert texts(good, "TEST04") == {"verify_performance.txt"}


Spoil = Callable[[WithTests], None]


def other_labels(evidence: WithTests) -> None:
    answers = [(k, floats(3 * k)) for k in range(8)]
    rest = right_answers()[8:]
    accuracy = evidence.run(repeat=None) / "mlperf_log_accuracy.json"
    write_accuracy(accuracy, [*answers, *rest])
    evidence.sample((k, floats(3 * k + 1)) for k in range(8))


def second_float(evidence: WithTests) -> None:
    evidence.sample([*right_answers()[:-1], (49, right_answers()[49][1] + floats(1))])


def absent_sample(evidence: WithTests) -> None:
    evidence.sample([(3, right_answers()[3][1]), (COUNT + 7, floats(1))])


def no_samples(evidence: WithTests) -> None:
    evidence.sample([])


def cut_samples(evidence: WithTests) -> None:
    path = evidence.test() / "mlperf_log_accuracy.json"
    path.write_text(path.read_text("utf-8")[:-9], encoding="utf-8")


def slower(evidence: WithTests) -> None:
    evidence.change_test("TEST01", result_samples_per_second=80.0)


def faster_with_one_sample(evidence: WithTests) -> None:
    evidence.change_test("TEST04", result_samples_per_second=112.0)


def plain_run_as_test01(evidence: WithTests) -> None:
    evidence.change_test("TEST01", effective_accuracy_log_sampling_target=0)


def plain_run_as_test04(evidence: WithTests) -> None:
    evidence.change_test("TEST04", effective_performance_issue_same=False)


def setting_not_logged(evidence: WithTests) -> None:
    evidence.change_test("TEST04", effective_performance_issue_same_index=None)


@pytest.mark.parametrize(
    ("spoil", "failed", "rules", "sentence"),
    [
        (other_labels, "TEST01", ["answers_differ"], "8 of 8 sampled answers differ"),
        (other_labels, "TEST01", ["answers_differ"], "the accuracy run has nothing right (top-1 0"),
        (second_float, "TEST01", ["answers_differ"], "first sample(s) 49; the scores"),
        (absent_sample, "TEST01", ["missing_answers"], "1 of 2 sampled answers are to samples"),
        (no_samples, "TEST01", ["no_answers"], "holds no answers"),
        (cut_samples, "TEST01", ["no_answers"], "the log is cut"),
        (
            slower,
            "TEST01",
            ["speed"],
            "-20.79 % against the performance run's 101 samples/s; ±10 %",
        ),
        (faster_with_one_sample, "TEST04", ["speed"], "+10.89 % against"),
        (plain_run_as_test01, "TEST01", ["other_run"], "sampling_target is 0, the test sets 4096"),
        (plain_run_as_test04, "TEST04", ["other_run"], "issue_same is false, the test sets true"),
        (setting_not_logged, "TEST04", ["other_run"], "is nothing, the test sets 3"),
    ],
)
def test_a_test_that_fails_says_why_and_leaves_no_result(
    good: WithTests, spoil: Spoil, failed: str, rules: list[str], sentence: str
) -> None:
    judge(good.root)
    spoil(good)
    audit = judge(good.root)
    assert outcomes(audit) == {"TEST01": "PASS", "TEST04": "PASS"} | {failed: "FAIL"}
    about = [found for found in audit.findings if found.rule.startswith("compliance.")]
    assert [found.rule for found in about] == [f"compliance.{rule}" for rule in rules]
    assert sentence in about[0].sentence
    assert "compliance" in gates_failed(audit)
    assert not (good.root / "result.json").exists()
    document = schema.read(good.root / "audit.json", "audit")
    assert {one["test"]: one["outcome"] for one in document["compliance"]}[failed] == "FAIL"


def test_differing_samples_are_counted_and_the_first_few_named(good: WithTests) -> None:
    good.sample([(k, floats(-1)) for k in range(20, 34)])
    audit = judge(good.root)
    (sentence,) = said(audit, "compliance.answers_differ")
    assert "14 of 14" in sentence
    assert "20, 21, 22, 23, 24, 25, 26, 27, 28, 29 and 4 more" in sentence
    document = schema.read(good.root / "audit.json", "audit")
    assert document["compliance"][0]["answers"]["differing_samples"] == list(range(20, 30))


def test_scores_are_told_where_answers_differ_by_more_than_the_tolerance(good: WithTests) -> None:
    good.sample(with_label(11, 999))
    audit = judge(good.root)
    (sentence,) = said(audit, "compliance.answers_differ")
    assert "1 of 50 sampled answers differ" in sentence
    assert "do not agree: top-1 98.0000 in the test, 100.0000 in the accuracy run" in sentence
    assert "2 % apart, at most 1 % is allowed" in sentence


def test_one_unit_in_the_last_place_fails_bit_for_bit_and_passes_by_its_scores(
    good: WithTests,
) -> None:
    good.sample(with_label(11, one_unit_more(float(labels(COUNT)[11]))))
    audit = judge(good.root)
    assert outcomes(audit)["TEST01"] == "PASS"
    assert audit.passed
    (sentence,) = said(audit, "compliance.answers_tolerated")
    assert "first sample(s) 11, but the scores on the sampled part agree" in sentence
    scores = schema.read(good.root / "result.json", "result")["compliance"][0]["scores"]
    assert (scores["accuracy"], scores["test"], scores["total"]) == (100.0, 100.0, COUNT)
    folder = good.root / "resnet50/Offline/TEST01"
    assert "num_perf_log_data_mismatch = 1\n" in (folder / "verify_accuracy.txt").read_text()
    assert (folder / "verify_accuracy.txt").read_text().endswith("TEST FAIL\n\n")
    line = f"accuracy=100.000%, good={COUNT}, total={COUNT}\n"
    for name in ("baseline_accuracy.txt", "compliance_accuracy.txt"):
        assert (folder / "accuracy" / name).read_text() == line


def test_differing_answers_that_can_not_be_scored_fail(
    good: WithTests, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(_: Dataset) -> Truth:
        raise EvidenceError("The labels are gone.")

    monkeypatch.setattr("audit.assess.truth_of", gone)
    assert outcomes(judge(good.root))["TEST01"] == "PASS"
    good.sample(with_label(11, 999))
    audit = judge(good.root)
    assert outcomes(audit)["TEST01"] == "FAIL"
    (sentence,) = said(audit, "compliance.answers_differ")
    assert sentence.endswith("they can't be scored beside them: The labels are gone.")


@pytest.mark.parametrize("count", [1, 7, COUNT])
def test_no_number_of_samples_is_demanded(good: WithTests, count: int) -> None:
    good.sample(right_answers()[:count])
    assert outcomes(judge(good.root))["TEST01"] == "PASS"


def short(evidence: WithTests) -> None:
    evidence.change_test("TEST01", effective_min_duration_ms=500)
    evidence.retime(500, "TEST01")


def few_samples(evidence: WithTests) -> None:
    rate = {"result_samples_per_second": 0.811295}
    evidence.change_test("TEST01", effective_samples_per_query=489, **rate)


def short_reference(evidence: WithTests) -> None:
    evidence.change_log(evidence.run(), effective_min_duration_ms=500)
    evidence.retime(500)


def bad_reference(evidence: WithTests) -> None:
    evidence.change_log(evidence.run(), result_validity="INVALID", result_min_duration_met=False)


def invalid(evidence: WithTests) -> None:
    evidence.change_test("TEST01", result_validity="INVALID", result_min_duration_met=False)


def failed(evidence: WithTests) -> None:
    _rerecord(evidence, outcome="failed", cause="killed by SIGKILL")


def answers_gone(evidence: WithTests) -> None:
    (evidence.test() / "mlperf_log_accuracy.json").unlink()


def no_accuracy_run(evidence: WithTests) -> None:
    (evidence.run(repeat=None) / "mlperf_log_accuracy.json").unlink()


def _rerecord(evidence: WithTests, **changes: Any) -> None:
    document = next(one for one in evidence.specs if one["test"] == "TEST01")
    write_json(evidence.test() / "run.json", {**record(document), **changes})


@pytest.mark.parametrize(
    ("spoil", "reason", "gates"),
    [
        (short, "the minimum duration is 500 ms, v6.1 demands 600 s", []),
        (few_samples, "Offline sends 489 samples, v6.1 demands 24576", []),
        (
            short_reference,
            "in the performance run that it is compared with, the minimum duration is 500 ms, "
            "v6.1 demands 600 s",
            [],
        ),
        (bad_reference, "the scenario has no good performance run to compare it with", ["valid"]),
        (invalid, "its run is not good, as other findings say", ["valid"]),
        (failed, "its run did not finish", ["finished"]),
        (answers_gone, "its run is not good, as other findings say", ["evidence"]),
        (
            no_accuracy_run,
            "the scenario has no accuracy run that can be scored, to compare its answers with",
            ["evidence", "accuracy"],
        ),
    ],
)
def test_where_a_verdict_would_mean_nothing_there_is_none_and_nothing_is_comparable(
    good: WithTests, spoil: Spoil, reason: str, gates: list[str]
) -> None:
    judge(good.root)
    spoil(good)
    audit = judge(good.root)
    assert outcomes(audit)["TEST01"] == "NOT JUDGED"
    (verdict, _) = audit.compliance
    assert verdict.why_not_judged == reason
    assert f"TEST01 is not judged: {reason}" in audit.why_not
    assert not audit.comparable
    assert gates_failed(audit) == gates
    assert texts(good, "TEST01") == set()
    schema.read(good.root / "audit.json", "audit")


def test_a_short_run_shows_its_numbers_all_the_same(good: WithTests) -> None:
    short(good)
    good.sample(with_label(11, 999))
    judge(good.root)
    test01 = json.loads((good.root / "result.json").read_text("utf-8"))["compliance"][0]
    assert test01["outcome"] == "NOT JUDGED"
    assert test01["answers"]["differing_samples"] == [11]
    assert test01["speed"]["difference_percent"] == 0


def test_a_latency_that_falls_under_test04_is_caught(tmp_path: Path) -> None:
    evidence = WithTests(tmp_path / "evidence", "SingleStream")
    assert judge(evidence.root).passed
    evidence.change_test("TEST04", **{METRIC["SingleStream"]: 9_000_000})
    (sentence,) = said(judge(evidence.root), "compliance.speed")
    assert "measured 111.111 queries/s" in sentence
    assert "95.2381 queries/s; at most +10 % is allowed" in sentence


def test_a_plan_for_the_closed_division_without_its_tests_is_not_comparable(
    good: WithTests, tmp_path: Path
) -> None:
    good.replan(why_not_comparable=[])
    assert said(judge(good.root), "compliance.not_run") == []
    without = Evidence(tmp_path / "without")
    without.replan(why_not_comparable=[])
    audit = judge(without.root)
    (sentence,) = said(audit, "compliance.not_run")
    assert "v6.1 demands TEST01 and TEST04" in sentence
    assert sentence in audit.why_not
    assert not audit.scenarios[0].comparable


def test_a_first_look_and_a_scenario_that_is_not_in_the_round_are_not_asked_for_tests(
    tmp_path: Path,
) -> None:
    assert said(judge(Evidence(tmp_path / "quick").root), "compliance.not_run") == []
    server = Evidence(tmp_path / "server", ("Server",))
    server.replan(why_not_comparable=[])
    assert said(judge(server.root), "compliance.not_run") == []


def test_evidence_without_tests_has_none_and_passes(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path / "evidence")
    audit = judge(evidence.root)
    assert audit.passed
    assert audit.compliance == ()
    assert schema.read(evidence.root / "result.json", "result")["compliance"] == []


def test_bad_bytes_in_any_file_of_a_test_never_raise(good: WithTests) -> None:
    for path in sorted((good.folder / "resnet50/Offline").rglob("TEST0*/**/*")):
        if path.is_file():
            kept = path.read_bytes()
            path.write_bytes(bytes(range(128, 192)))
            assert not judge(good.folder).passed
            path.write_bytes(kept)


def test_specs_of_tests_fit_their_schema(good: WithTests) -> None:
    assert spec("Offline")["test"] is None
    assert {one["test"] for one in good.specs} == {None, "TEST01", "TEST04"}
    for document in good.specs:
        assert schema.problems(document, "spec") == []


def test_the_reference_is_the_run_that_a_submission_would_hold(tmp_path: Path) -> None:
    good = WithTests(tmp_path / "evidence", repeats=3)
    verdicts = judge(good.root).compliance
    assert {one.reference for one in verdicts} == {"resnet50/Offline/performance/run_2"}
