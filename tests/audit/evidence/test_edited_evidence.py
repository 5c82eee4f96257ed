"""Evidence that was edited after its runs: every value that a result rests on is held to."""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit.evidence.sealing import seal_record, sha256_without
from audit.judge import judge
from audit.rules import load_round
from datasets.disk.files import write_json
from tests.audit.compliance.tested import WithTests
from tests.audit.written_evidence import Evidence

DETAIL, ANSWERS = "mlperf_log_detail.txt", "mlperf_log_accuracy.json"
SCENARIOS = ("Offline", "SingleStream")
OWN = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])

LOOSE = {"peak_rss_bytes", "cpu_seconds", "wall_seconds", "started", "ended", "attempt", "facts"}
LOOSE |= {"completions"}
"""Members of a record that nothing but its seal holds to, or that may be a little otherwise."""
ONLY_TIME = {"run_s"}
"""Members of a plan that only tell how long it takes: no verdict rests on them."""


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Evidence(tmp_path_factory.mktemp("untouched") / "evidence", SCENARIOS, repeats=2).folder


@pytest.fixture
def good(tmp_path: Path) -> Evidence:
    return Evidence(tmp_path / "evidence", SCENARIOS, repeats=2)


def errors(folder: Path) -> list[str]:
    return [one.rule for one in judge(folder).findings if one.severity == "error"]


def edit(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """As one who knows of the seal: a record that is changed is sealed again."""
    document = json.loads(path.read_text("utf-8"))
    change(document)
    write_json(path, sealed(document) if path.name == "run.json" else document)


def sealed(record: dict[str, Any]) -> dict[str, Any]:
    return {**record, "seal": seal_record(record)}


def edit_all(good: Evidence, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the plan, each spec in it and each spec in a record alike."""

    def change_plan(plan: dict[str, Any]) -> None:
        change(plan)
        for run in plan["runs"]:
            change(run)

    edit(good.folder / "plan.json", change_plan)
    for path in good.folder.rglob("run.json"):
        edit(path, lambda record: change(record["spec"]))


def test_the_evidence_of_these_tests_passes(good: Evidence) -> None:
    assert errors(good.folder) == []


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("accuracy_target", {"metric": "top1_percent", "value": 0.001, "source": "nothing"}),
        ("system_type", "datacenter"),
        ("why_not_comparable", []),
        ("id", "h200-tensorrt-fp8"),
        ("stall_s", 61.0),
    ],
)
def test_another_plan_than_the_runs_were_made_under(
    good: Evidence, member: str, value: object
) -> None:
    edit(good.folder / "plan.json", lambda plan: plan.update({member: value}))
    assert errors(good.folder) == ["plan.changed"]


def test_records_that_seal_more_of_their_plan_keep_doing_so(good: Evidence) -> None:
    plan = json.loads((good.folder / "plan.json").read_text("utf-8"))
    early = {"sha256": sha256_without(plan, ["runs"]), "runs": len(plan["runs"])}
    for path in good.folder.glob("*/*/**/run.json"):
        edit(path, lambda record: (record["plan"].pop("without"), record["plan"].update(early)))
    assert errors(good.folder) == []
    edit(good.folder / "plan.json", lambda plan: plan["run_s"].clear())
    assert errors(good.folder) == ["plan.changed"]


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("suite", "official"),
        ("round", "v5.0"),
        ("benchmark", "bert"),
        ("embedded", False),
        ("model", {"name": "resnet50", "path": None, "sha256": "a" * 64, "origin": "official"}),
    ],
)
def test_a_title_that_the_runs_do_not_bear_out(good: Evidence, member: str, value: object) -> None:
    edit(good.folder / "plan.json", lambda plan: plan.update({member: value}))
    assert {"plan.contradicted", "plan.changed"} <= set(errors(good.folder))
    good.seal()
    assert "plan.contradicted" in errors(good.folder)


def test_embedded_evidence_stays_no_mlperf_result_whatever_it_says(good: Evidence) -> None:
    edit(good.folder / "plan.json", lambda plan: plan.update(embedded=False))
    audit = judge(good.folder)
    assert audit.evidence.plan is not None
    assert audit.evidence.plan.embedded
    written = json.loads((good.folder / "audit.json").read_text("utf-8"))
    assert written["label"] == "not an MLPerf result"


def test_a_target_in_another_metric_or_below_the_rounds_on_published_data(tmp_path: Path) -> None:
    good = Evidence(tmp_path / "evidence", origin="official")
    assert errors(good.root) == ["plan.target"]
    value = load_round("v6.1").benchmark("resnet50").accuracy_target.value
    target = {"metric": "top1_percent", "value": value, "source": "the round"}
    good.replan(accuracy_target=target)
    assert "plan.target" not in errors(good.root)
    good.replan(accuracy_target={**target, "metric": "f1"})
    assert "plan.target" in errors(good.root)


def test_a_run_that_is_taken_out_is_missed(good: Evidence) -> None:
    edit(good.folder / "plan.json", lambda plan: plan["runs"].pop(2))
    shutil.rmtree(good.run(repeat=2))
    assert errors(good.folder) == ["plan.shorter"]


def test_a_repeat_in_the_middle_is_missed_by_its_number(good: Evidence) -> None:
    edit(good.folder / "plan.json", lambda plan: plan["runs"].pop(1))
    shutil.rmtree(good.run(repeat=1))
    assert errors(good.folder) == ["plan.gap", "plan.shorter"]
    good.seal()
    assert errors(good.folder) == ["plan.gap"]


def test_a_run_that_is_named_twice_is_not_two(good: Evidence) -> None:
    edit(good.folder / "plan.json", lambda plan: plan["runs"].append(plan["runs"][1]))
    assert "plan.repeated" in errors(good.folder)


def test_a_run_made_by_itself_is_none_of_the_plan(good: Evidence) -> None:
    edit(good.run() / "run.json", lambda record: record.update(plan=None))
    assert errors(good.folder) == ["plan.foreign_run"]


@pytest.mark.parametrize(
    "change",
    [
        lambda spec: spec.get("settings", {}).clear(),
        lambda spec: spec.get("settings", {}).update(min_query_count=1),
        lambda spec: spec.get("loadgen", {}).update(min_duration_ms=600),
        lambda spec: spec.get("loadgen", {}).update(mode="accuracy"),
    ],
)
def test_settings_follow_from_what_loadgen_is_told(
    good: Evidence, change: Callable[[dict[str, Any]], object]
) -> None:
    edit_all(good, change)
    assert "plan.settings" in errors(good.folder)


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"exit_status": -11}, "record.outcome"),
        ({"exit_status": None}, "record.outcome"),
        ({"cause": "the device fell back to the CPU"}, "record.outcome"),
        ({"samples": {"issued": 5, "completed": 5, "failed": 0, "empty": 0}}, "record.samples"),
        ({"streams": None}, "record.streams"),
        ({"streams": {"samples": 3}}, "record.streams"),
        ({"ended": "2020-01-01T00:00:00+00:00"}, "record.times"),
        ({"ended": "soon"}, "record.times"),
        ({"ended": "2026-11-30T23:00:00"}, "record.times"),
        (
            {"resources": {"peak_rss_bytes": 1, "cpu_seconds": 0, "wall_seconds": 0}},
            "record.wall",
        ),
        ({"device_used": "NVIDIA H200 SXM"}, "record.device"),
        ({"software": {"numpy": "9"}}, "record.software"),
        ({"files": {}}, "evidence.unsealed"),
        (
            {"completions": {"interval_ms": 1000, "counts": [1], "even": True}},
            "record.completions",
        ),
    ],
)
def test_a_record_that_can_not_be_true(good: Evidence, change: dict[str, Any], rule: str) -> None:
    edit(good.run() / "run.json", lambda record: record.update(change))
    assert rule in errors(good.folder)
    assert not (good.folder / "result.json").exists()


def test_an_accuracy_run_answers_as_many_samples_as_it_sent(good: Evidence) -> None:
    edit(good.run(repeat=None) / "run.json", lambda record: record["samples"].update(issued=51))
    assert "record.samples" in errors(good.folder)


@pytest.mark.parametrize("name", ["spec.json", "user.conf", "mlperf_log_summary.txt", DETAIL])
def test_a_file_that_is_gone_or_changed_is_named(good: Evidence, name: str) -> None:
    path = good.run() / name
    path.write_text(path.read_text("utf-8") + "\n", encoding="utf-8")
    assert errors(good.folder) == ["evidence.changed"]
    path.unlink()
    assert errors(good.folder) == ["evidence.missing_file"]


def test_a_finished_run_owes_its_files_even_where_none_was_sealed(tmp_path: Path) -> None:
    tested = WithTests(tmp_path / "evidence")
    (tested.test() / ANSWERS).unlink()
    assert "evidence.missing_file" in errors(tested.root)


def test_a_run_that_failed_owes_no_file(good: Evidence) -> None:
    good.change_record(good.run(), lambda record: record.update(outcome="failed"))
    (good.folder / "resnet50/Offline/performance/run_1/mlperf_log_summary.txt").unlink()
    assert errors(good.root) == ["run.not_finished"]


def test_a_log_without_its_last_lines_is_not_the_log(good: Evidence) -> None:
    path = good.run() / DETAIL
    path.write_text("".join(path.read_text("utf-8").splitlines(True)[:-3]), encoding="utf-8")
    assert "evidence.changed" in errors(good.folder)


def test_a_copied_log_is_found_out_even_where_it_was_sealed(good: Evidence) -> None:
    shutil.copy(good.run() / DETAIL, good.run(repeat=2) / DETAIL)
    assert errors(good.root) == ["evidence.same_log"]


def test_answers_of_another_scenario_are_not_its_own(good: Evidence) -> None:
    other = good.run("SingleStream", None) / ANSWERS
    rows = other.read_text("utf-8").replace('"seq_id" : 0,', '"seq_id" : 50,')
    (good.run(repeat=None) / ANSWERS).write_text(rows, encoding="utf-8")
    assert errors(good.folder) == ["evidence.changed"]


def test_another_machine_is_a_finding(good: Evidence) -> None:
    write_json(good.folder / "system.json", {})
    assert errors(good.folder) == ["evidence.other_system"]


def test_runs_may_be_added_to_a_plan(good: Evidence) -> None:
    """Records made before hold the smaller number, which is no fault."""

    def fewer(record: dict[str, Any]) -> None:
        record["plan"]["runs"] -= 2

    edit(good.run() / "run.json", fewer)
    assert errors(good.folder) == []


def leaves(
    document: Any, path: tuple[Any, ...] = (), loose: frozenset[str] = frozenset()
) -> Iterator[tuple[Any, ...]]:
    """The place of every value in a document that is no list and no object, and of empty ones;
    none in members that are ``loose``."""
    members = document.items() if isinstance(document, dict) else enumerate(document)
    for key, value in members:
        if key in loose:
            continue
        if isinstance(value, dict | list) and value:
            yield from leaves(value, (*path, key), loose)
        else:
            yield (*path, key)


def otherwise(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return value[:-1] + ("0" if value[-1:] != "0" else "1")
    return (
        "something"
        if value is None
        else [*value, "more"]
        if isinstance(value, list)
        else {"a": "b"}
    )


@pytest.mark.parametrize("forged", [False, True], ids=["edited", "sealed again"])
@OWN
@given(data=st.data())
def test_any_value_of_plan_machine_or_record_that_is_changed_is_a_finding(
    untouched: Path, tmp_path_factory: pytest.TempPathFactory, forged: bool, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("edited") / "evidence"
    shutil.copytree(untouched, folder)
    documents = [folder / "plan.json", folder / "system.json", *sorted(folder.rglob("run.json"))]
    path = data.draw(st.sampled_from(documents))
    document = json.loads(path.read_text("utf-8"))
    again = forged and path.name == "run.json"
    loose = frozenset(LOOSE | {"seal"} if again else ONLY_TIME)
    place = data.draw(st.sampled_from(list(leaves(document, loose=loose))))
    changed = copy.deepcopy(document)
    holder = changed
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = otherwise(holder[place[-1]])
    write_json(path, sealed(changed) if again else changed)
    assert errors(folder), (path.name, place)
    assert not (folder / "result.json").exists()


def test_a_value_that_only_the_seal_holds_to(good: Evidence) -> None:
    path = good.run() / "run.json"
    record = json.loads(path.read_text("utf-8"))
    record["completions"]["counts"][3] += 1
    record["completions"]["counts"][4] -= 1
    write_json(path, record)
    assert errors(good.folder) == ["record.changed"]


@OWN
@given(data=st.data())
def test_any_byte_of_a_log_that_is_changed_is_a_finding(
    untouched: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("edited") / "evidence"
    shutil.copytree(untouched, folder)
    logs = sorted(path for path in folder.rglob("mlperf_log_*") if path.stat().st_size)
    path = data.draw(st.sampled_from(logs))
    raw = bytearray(path.read_bytes())
    raw[data.draw(st.integers(0, len(raw) - 1))] ^= data.draw(st.integers(1, 255))
    path.write_bytes(bytes(raw))
    assert "evidence.changed" in errors(folder)
    assert not (folder / "result.json").exists()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("*.Offline.min_duration = 9000", {"plan.user_conf"}),
        ("*.SingleStream.target_latency = 3", {"plan.user_conf"}),
        ("*.Offline.min_duration = 600000", set()),
        ("bert.*.min_duration = 9", set()),
        ("*.Offline.min_duration=9", {"plan.user_conf_unreadable"}),
    ],
)
def test_the_user_conf_that_a_plan_states_is_held_to_its_runs(
    good: Evidence, line: str, said: set[str]
) -> None:
    edit(good.folder / "plan.json", lambda plan: plan.update(user_conf=[line]))
    assert set(errors(good.folder)) == said


def _aside(place: str) -> dict[str, Any]:
    return {"scenario": "Offline", "user_conf": [], "moved_to": place}


def test_runs_that_were_set_aside_are_said_as_often_as_they_were(good: Evidence) -> None:
    aside = [_aside(".previous/a"), _aside(".previous/b")]
    edit(good.folder / "plan.json", lambda plan: plan.update(set_aside=aside))
    (found,) = (one for one in judge(good.folder).findings if one.rule == "plan.measured_again")
    assert (found.severity, found.found) == ("warning", "2")
    assert ".previous/a, .previous/b" in found.sentence
    assert errors(good.folder) == []


@pytest.mark.parametrize("stated", [[], [_aside(".previous/other")]])
def test_a_plan_does_not_forget_what_was_set_aside(
    good: Evidence, stated: list[dict[str, Any]]
) -> None:
    path = next(good.folder.rglob("run.json"))
    edit(path, lambda record: record["plan"].update(set_aside=[_aside(".previous/a")]))
    edit(good.folder / "plan.json", lambda plan: plan.update(set_aside=stated))
    assert errors(good.folder) == ["plan.forgotten"]
