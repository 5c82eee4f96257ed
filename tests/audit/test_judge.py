"""Judging whole evidence folders: what is written, and which gate what fails."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from audit import schema
from audit.judge import judge
from audit.verdicts import Audit
from datasets.disk.files import sha256_of, write_json
from datasets.errors import EvidenceError
from tests.audit.written_evidence import COUNT, Evidence, plan, right_answers, spec, system
from tests.audit.written_logs import line, write_accuracy

SCENARIOS = ("Offline", "Server", "SingleStream", "MultiStream")


@pytest.fixture
def good(tmp_path: Path) -> Evidence:
    return Evidence(tmp_path / "evidence")


def failed_gates(audit: Audit) -> list[str]:
    return [gate.id for gate in audit.gates if not gate.passed]


def error_rules(audit: Audit) -> list[str]:
    return [found.rule for found in audit.findings if found.severity == "error"]


def read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return document


def test_good_evidence_gives_a_result_with_every_number_traced(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path / "evidence", SCENARIOS)
    audit = judge(evidence.root)
    assert audit.passed, error_rules(audit)
    result = read(evidence.root / "result.json")
    units = {one["scenario"]: one["performance"]["unit"] for one in result["scenarios"]}
    assert units == {
        "Offline": "samples/s",
        "Server": "queries/s",
        "SingleStream": "ns",
        "MultiStream": "ns",
    }
    offline = result["scenarios"][0]["performance"]
    assert [value["value"] for value in offline["values"]] == [101.0, 102.0, 103.0]
    assert offline["spread"]["median"] == 102.0
    assert offline["spread"]["stdev"] == pytest.approx(1.0)
    assert offline["spread"]["cv_percent"] == pytest.approx(100 / 102)
    for scenario in result["scenarios"]:
        for value in (*scenario["performance"]["values"], scenario["accuracy"]):
            assert sha256_of(evidence.root / value["file"]) == value["sha256"]


def test_the_score_stands_beside_its_target(good: Evidence) -> None:
    judge(good.root)
    (scenario,) = read(good.root / "result.json")["scenarios"]
    accuracy = scenario["accuracy"]
    assert (accuracy["value"], accuracy["correct"], accuracy["total"]) == (100.0, COUNT, COUNT)
    assert accuracy["dtype"] == "float32"
    assert accuracy["margin_samples"] == 5.0
    assert accuracy["interval"] == [pytest.approx(92.8652), 100.0]
    log = sha256_of(good.run(repeat=None) / "mlperf_log_accuracy.json")
    text = (good.run(repeat=None) / "accuracy.txt").read_text("utf-8")
    assert text == f"accuracy=100.000%, good={COUNT}, total={COUNT}\n\nhash={log}\n"


def test_embedded_and_short_is_marked_everywhere(good: Evidence) -> None:
    judge(good.root)
    for name in ("audit.json", "result.json"):
        document = read(good.root / name)
        assert document["embedded"] is True
        assert document["label"] == "not an MLPerf result"
        assert document["comparable"] is False
        assert "runs last seconds" in document["why_not_comparable"]


def test_the_same_evidence_gives_the_same_bytes_but_for_the_time(good: Evidence) -> None:
    judge(good.root)
    first = {name: read(good.root / name) for name in ("audit.json", "result.json")}
    judge(good.root)
    for name, document in first.items():
        again = read(good.root / name)
        assert json.dumps({**again, "audited": ""}) == json.dumps({**document, "audited": ""})


def test_a_score_below_the_rounds_own_target_is_not_comparable(tmp_path: Path) -> None:
    good = Evidence(tmp_path / "evidence", origin="simulated")
    half = {"metric": "top1_percent", "value": 50.0, "source": "the user"}
    good.replan(accuracy_target=half)
    half_wrong = [
        (index, struct.pack("<f", 7) if index % 2 else data) for index, data in right_answers()
    ]
    write_accuracy(good.run(repeat=None) / "mlperf_log_accuracy.json", half_wrong)
    audit = judge(good.root)
    assert audit.passed
    assert any("demands 75.695" in reason for reason in audit.why_not)


def test_data_that_is_gone_is_said_for_every_scenario(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path / "evidence", SCENARIOS, repeats=1)
    no_data(evidence)
    audit = judge(evidence.root)
    assert error_rules(audit) == ["accuracy.not_scoreable"] * len(SCENARIOS)
    assert all(one.spread and one.spread.cv_percent is None for one in audit.scenarios)


def test_a_note_is_made_once_for_all_runs(good: Evidence) -> None:
    notes = [found.sentence for found in judge(good.root).findings if found.severity == "note"]
    assert notes
    assert len(notes) == len(set(notes))


def test_a_scenario_outside_the_round_is_marked(tmp_path: Path) -> None:
    audit = judge(Evidence(tmp_path / "evidence", ("Offline", "Server")).root)
    in_round = {one.scenario: one.in_round for one in audit.scenarios}
    assert in_round == {"Offline": True, "Server": False}


Spoil = Callable[[Evidence], None]


def invalid(evidence: Evidence) -> None:
    evidence.change_log(evidence.run(), result_validity="INVALID", result_min_duration_met=False)


def error_line(evidence: Evidence) -> None:
    more = line("error_runtime", "twice", is_error=True)
    evidence.change_log(evidence.run(), more, num_errors=1)


def error_line_in_accuracy(evidence: Evidence) -> None:
    more = line("error_invalid_config", "ignored", is_error=True)
    evidence.change_log(evidence.run(repeat=None), more)


def failed_run(evidence: Evidence) -> None:
    evidence.change_record(
        evidence.run(), lambda run: run.update(outcome="failed", cause="killed by SIGKILL")
    )


def aborted_run(evidence: Evidence) -> None:
    evidence.change_record(evidence.run(repeat=None), lambda run: run.update(outcome="aborted"))


def missing_run(evidence: Evidence) -> None:
    (evidence.run() / "run.json").unlink()


def incomplete(evidence: Evidence) -> None:
    evidence.change_record(evidence.run(), lambda run: run["samples"].update(completed=99))


def empty_answers(evidence: Evidence) -> None:
    evidence.change_record(evidence.run(), lambda run: run["samples"].update(empty=1))


def failed_answers(evidence: Evidence) -> None:
    evidence.change_record(evidence.run(), lambda run: run["samples"].update(failed=2))


def other_setting(evidence: Evidence) -> None:
    evidence.change_log(evidence.run(), effective_performance_sample_count=COUNT - 1)


def other_spec(evidence: Evidence) -> None:
    evidence.change_record(evidence.run(), lambda run: run["spec"].update(notes=["changed"]))


def low_accuracy(evidence: Evidence) -> None:
    wrong = [
        (index, struct.pack("<f", 7 if index < 6 else struct.unpack("<f", data)[0]))
        for index, data in right_answers()
    ]
    write_accuracy(evidence.run(repeat=None) / "mlperf_log_accuracy.json", wrong)


def half_the_answers(evidence: Evidence) -> None:
    path = evidence.run(repeat=None) / "mlperf_log_accuracy.json"
    write_accuracy(path, right_answers()[: COUNT // 2])


def cut_answers(evidence: Evidence) -> None:
    path = evidence.run(repeat=None) / "mlperf_log_accuracy.json"
    path.write_text(path.read_text("utf-8")[:-3], encoding="utf-8")


def shifted_labels(evidence: Evidence) -> None:
    shifted = [
        (index, struct.pack("<f", struct.unpack("<f", data)[0] + 1))
        for index, data in right_answers()
    ]
    write_accuracy(evidence.run(repeat=None) / "mlperf_log_accuracy.json", shifted)


def no_accuracy_planned(evidence: Evidence) -> None:
    write_json(evidence.root / "plan.json", plan(evidence.specs[1:]))


def no_data(evidence: Evidence) -> None:
    gone = {**evidence.specs[0]["dataset"], "kind": "imagenet", "path": "/nowhere"}
    evidence.respec(dataset=gone)


def no_answers(evidence: Evidence) -> None:
    (evidence.run(repeat=None) / "mlperf_log_accuracy.json").unlink()


def no_log(evidence: Evidence) -> None:
    (evidence.run() / "mlperf_log_detail.txt").unlink()


def broken_record(evidence: Evidence) -> None:
    (evidence.run() / "run.json").write_text("{", encoding="utf-8")


def nan_metric(evidence: Evidence) -> None:
    evidence.change_log(evidence.run(), result_samples_per_second=float("nan"))


def negative_metric(evidence: Evidence) -> None:
    evidence.change_log(evidence.run(), result_samples_per_second=-1.0)


def unknown_round(evidence: Evidence) -> None:
    evidence.respec(round="v9.9")


@pytest.mark.parametrize(
    ("spoil", "rules", "gates"),
    [
        (invalid, ["validity.duration"], ["valid"]),
        (error_line, ["run.valid_with_errors"], ["error_lines"]),
        (error_line_in_accuracy, ["run.errors"], ["error_lines"]),
        (failed_run, ["run.not_finished"], ["finished"]),
        (aborted_run, ["run.not_finished", "accuracy.absent"], ["finished", "accuracy"]),
        (missing_run, ["run.missing"], ["finished"]),
        (incomplete, ["run.incomplete"], ["finished"]),
        (empty_answers, ["run.answers"], ["answers"]),
        (failed_answers, ["run.answers"], ["answers"]),
        (other_setting, ["settings.differs"], ["settings"]),
        (other_spec, ["run.other_spec"], ["settings"]),
        (low_accuracy, ["accuracy.below_target"], ["accuracy"]),
        (half_the_answers, ["accuracy.not_scoreable"], ["accuracy"]),
        (cut_answers, ["accuracy.not_scoreable"], ["accuracy"]),
        (shifted_labels, ["accuracy.below_target", "accuracy.offset"], ["accuracy"]),
        (no_accuracy_planned, ["accuracy.absent"], ["accuracy"]),
        (no_data, ["accuracy.not_scoreable"], ["accuracy"]),
        (no_answers, ["evidence.missing_file", "accuracy.not_scoreable"], ["evidence", "accuracy"]),
        (no_log, ["evidence.missing_file"], ["evidence"]),
        (broken_record, ["evidence.unreadable"], ["evidence"]),
        (nan_metric, ["log.not_finite", "metric.missing"], ["evidence", "valid"]),
        (negative_metric, ["metric.missing"], ["valid"]),
        (unknown_round, ["evidence.unreadable"], ["evidence"]),
    ],
)
def test_each_fault_fails_its_gate_and_leaves_no_result(
    good: Evidence, spoil: Spoil, rules: list[str], gates: list[str]
) -> None:
    judge(good.root)
    spoil(good)
    audit = judge(good.root)
    assert error_rules(audit) == rules
    assert failed_gates(audit) == gates
    assert not (good.root / "result.json").exists()
    document = read(good.root / "audit.json")
    schema.require(document, "audit", "audit.json")
    assert document["passed"] is False


def test_a_bad_run_gives_no_value_but_the_good_ones_do(good: Evidence) -> None:
    invalid(good)
    audit = judge(good.root)
    (scenario,) = audit.scenarios
    assert scenario.planned == 3
    assert [number.value for number in scenario.values] == [102.0, 103.0]


def test_a_stray_run_is_a_warning_and_a_probe_is_none(good: Evidence) -> None:
    for name in ("performance/run_9", "probes/probe_1"):
        folder = good.root / "resnet50/Offline" / name
        folder.mkdir(parents=True)
        (folder / "run.json").write_text("{}", encoding="utf-8")
    audit = judge(good.root)
    assert audit.passed
    (stray,) = [found for found in audit.findings if found.severity == "warning"]
    assert stray.where == "resnet50/Offline/performance/run_9"


@pytest.mark.parametrize("content", ["", "[]", "{", '{"schema": "loadproof/plan"}', "\ud800"])
def test_without_a_plan_that_can_be_read_nothing_passes(good: Evidence, content: str) -> None:
    path = good.root / "plan.json"
    path.write_bytes(content.encode("utf-8", "surrogatepass"))
    audit = judge(good.root)
    assert not audit.passed
    assert failed_gates(audit) == [gate.id for gate in audit.gates]
    assert error_rules(audit) == ["evidence.unreadable", "evidence.no_plan"]
    schema.require(read(good.root / "audit.json"), "audit", "audit.json")


def test_a_missing_system_description_is_said(good: Evidence) -> None:
    (good.root / "system.json").unlink()
    audit = judge(good.root)
    assert audit.passed
    assert "evidence.no_system" in [found.rule for found in audit.findings]


@pytest.mark.parametrize("content", ['{"memory": NaN}', '["no object"]', "{", '{"host": {}}'])
def test_a_system_description_that_can_not_be_read_is_said(good: Evidence, content: str) -> None:
    (good.root / "system.json").write_text(content, encoding="utf-8")
    audit = judge(good.root)
    assert "evidence.no_system" in [found.rule for found in audit.findings]
    assert read(good.root / "result.json")["system"] is None


def test_text_that_no_file_can_hold_is_replaced(good: Evidence) -> None:
    write_json(good.root / "system.json", system(kernel="\ud800"))
    judge(good.root)
    assert read(good.root / "result.json")["system"]["host"]["kernel"] == "?"


def test_no_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(EvidenceError, match="There is no evidence folder"):
        judge(tmp_path / "absent")


def test_bad_bytes_in_any_file_never_raise(good: Evidence) -> None:
    names = [path for path in sorted(good.folder.rglob("*")) if path.is_file()]
    for path in names:
        kept = path.read_bytes()
        path.write_bytes(bytes(range(128, 192)))
        assert not judge(good.folder).passed
        path.write_bytes(kept)


def test_the_result_schema_refuses_a_gate_that_failed(good: Evidence) -> None:
    judge(good.root)
    document = read(good.root / "result.json")
    document["gates"][0]["passed"] = False
    assert schema.problems(document, "result")


def test_specs_of_the_tests_fit_their_schema() -> None:
    assert schema.problems(spec("Offline"), "spec") == []
