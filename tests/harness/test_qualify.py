"""A qualification step by step on the simulated device: what is kept, done again, and skipped."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit import schema
from audit.consistency.policy import load_policy
from audit.judge import judge
from audit.rules import load_round
from datasets.disk.cache import default_cache
from datasets.disk.lock import hold
from datasets.errors import LoadproofError, UsageError
from harness.exits import StoppedError
from harness.planning.plan import load_plan
from harness.qualify import qualify
from harness.request import Request
from harness.running import rundir
from harness.stop import StopRequests
from tests.harness.displays import Heard
from tests.harness.plans import request

ID = "simulated-cpu-fp32-simulated"
OPTIONS = {"base_ms": "1", "per_sample_ms": "0.1"}


def _asked(tmp_path: Path, **changes: Any) -> Request:
    chosen: dict[str, Any] = {
        "suite": "smoke",
        "scenarios": ("SingleStream",),
        "max_batch": 1,
        "options": OPTIONS,
        "cache": default_cache(),
    }
    return request(tmp_path, **{**chosen, **changes})


def _qualify(asked: Request) -> tuple[Path, Heard]:
    heard = Heard()
    return qualify(asked, heard, StopRequests(), lambda root: root), heard


def _records(root: Path) -> Iterator[dict[str, Any]]:
    for path in sorted(root.rglob("run.json")):
        yield schema.read(path, "run")


def test_fewer_runs_than_usual_are_explained(tmp_path: Path) -> None:
    _, heard = _qualify(_asked(tmp_path, options={"base_ms": "40"}))
    said = "SingleStream: fewer than 2 runs each, since one takes 2 s or more; --repeat 2"
    assert any(note.startswith(said) for note in heard.notes)


def test_every_planned_run_is_done_and_the_second_start_does_none(tmp_path: Path) -> None:
    asked = _asked(tmp_path)
    root, heard = _qualify(asked)
    assert root == asked.output / ID
    plan = load_plan(root / "plan.json")
    assert [rundir.finished(rundir.Evidence(root).run(run), run) for run in plan.runs] == [True] * 3
    assert schema.load(root / "system.json")["schema"] == "loadproof/system"
    assert heard.steps[:4] == [
        "Finding the model and the dataset",
        "Opening simulated on cpu",
        "Preparing the samples",
        "Probing batch sizes",
    ]
    assert "[1/3] SingleStream accuracy" in heard.steps
    assert heard.steps[-2:] == ["[3/3] SingleStream performance run 2", "Auditing the evidence"]
    assert "Planned 3 runs, about 1 min." in heard.notes
    _, again = _qualify(replace(asked, stall_s=50.0))
    assert again.steps == ["Finding the model and the dataset", "Auditing the evidence"]
    assert again.notes == ["3 of 3 runs are finished already."]


def test_after_a_failure_the_scenario_is_not_tried_again_and_the_cause_is_said(
    tmp_path: Path,
) -> None:
    root, heard = _qualify(_asked(tmp_path, options={**OPTIONS, "raise_at": "150"}))
    assert [record["outcome"] for record in _records(root)] == ["finished", "failed"]
    failed, skipped = heard.notes[-2:]
    assert failed.startswith("[2/3] SingleStream performance run 1: FAILED, ")
    assert "as option raise_at asks" in failed
    assert "performance/run_1)" in failed
    assert skipped == "[3/3] SingleStream performance run 2: skipped after the failure above"


def test_a_server_rate_is_found_once_and_frozen_in_the_plan(tmp_path: Path) -> None:
    asked = _asked(tmp_path, scenarios=("Server",))
    root, heard = _qualify(asked)
    assert "Looking for a Server rate" in heard.steps
    rates = {run.loadgen.target_qps for run in load_plan(root / "plan.json").runs}
    assert None not in rates
    before = (root / "plan.json").read_bytes()
    _, again = _qualify(asked)
    assert "Looking for a Server rate" not in again.steps
    assert (root / "plan.json").read_bytes() == before


def test_a_plan_that_can_not_be_read_is_set_aside_and_made_anew(tmp_path: Path) -> None:
    asked = _asked(tmp_path)
    root = asked.output / ID
    root.mkdir(parents=True)
    (root / "plan.json").write_text("{")
    _, heard = _qualify(asked)
    assert any("Earlier evidence was moved to" in note for note in heard.notes)
    (kept,) = (asked.output / ".previous").iterdir()
    assert (kept / "plan.json").read_text() == "{"
    assert len(load_plan(root / "plan.json").runs) == 3


def test_the_threads_and_batches_asked_for_are_those_of_every_run(tmp_path: Path) -> None:
    root, _ = _qualify(_asked(tmp_path, scenarios=("Offline",), threads=3, max_batch=2))
    plan = load_plan(root / "plan.json")
    for run in plan.runs:
        assert (run.batching.threads, run.batching.max_batch) == (3, 2)
    assert f"{plan.runs[0].batching.streams} × 3 threads on" in plan.document["facts"]["threads"]


def test_compliance_tests_join_a_plan_whose_runs_are_finished_and_are_judged_at_full_length(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = _asked(tmp_path)
    _qualify(asked)
    root, heard = _qualify(replace(asked, compliance=True))
    assert heard.notes == [
        "2 compliance tests were added to the plan.",
        "3 of 5 runs are finished already.",
    ]
    assert heard.steps[1:-1] == ["[4/5] SingleStream TEST01", "[5/5] SingleStream TEST04"]
    _, again = _qualify(asked)
    assert again.notes == ["5 of 5 runs are finished already."]
    assert [one.outcome for one in judge(root).compliance] == ["NOT JUDGED"] * 2
    short = replace(load_round("v6.1"), min_duration_ms=asked_ms(root))
    monkeypatch.setattr("audit.assess.load_round", lambda _: short)
    judged = [one.outcome for one in judge(root).compliance]
    assert len(judged) == 2
    assert set(judged) <= {"PASS", "FAIL"}  # how fast a run was depends on the machine
    text = (root / "resnet50/SingleStream/TEST01/verify_accuracy.txt").read_text("utf-8")
    assert text.endswith("num_perf_log_data_mismatch = 0\nnum_missing_qsl_idxs = 0\nTEST PASS\n\n")


def asked_ms(root: Path) -> int:
    """The length that the runs of a plan were asked to have."""
    return load_plan(root / "plan.json").runs[0].loadgen.min_duration_ms


def test_a_failed_attempt_is_kept_and_counted(tmp_path: Path) -> None:
    asked = _asked(tmp_path)
    root, _ = _qualify(asked)
    folder = root / "resnet50/SingleStream/performance/run_1"
    record = json.loads((folder / "run.json").read_text())
    rundir.write_record(folder, {**record, "outcome": "failed", "cause": "?"})
    (root / "result.json").write_text("{}")
    _qualify(asked)
    assert json.loads((folder / "run.json").read_text())["attempt"] == 2
    kept = root / "attempts/resnet50/SingleStream/performance/run_1/attempt_1"
    assert json.loads((kept / "run.json").read_text())["outcome"] == "failed"
    assert not (root / "result.json").exists()
    (finding,) = [one for one in judge(root).findings if one.rule == "run.retried"]
    assert "is attempt 2" in finding.sentence


def test_runs_that_were_only_too_short_are_planned_again_and_the_result_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.planning.base_spec.EXPECTED_LATENCY_SHARE", 20)  # a slow probe
    asked = _asked(tmp_path)
    root, heard = _qualify(asked)
    assert sum("performance run 1: too short" in note for note in heard.notes) == 1
    first, *others = [
        run for run in load_plan(root / "plan.json").runs if run.mode == "performance"
    ]
    assert {run.loadgen for run in others} == {first.loadgen}
    kept = root / "attempts/resnet50/SingleStream/performance/run_1/attempt_1"
    short = schema.read(kept / "run.json", "run")["spec"]["loadgen"]["expected_latency_ns"]
    assert short > 10 * (first.loadgen.expected_latency_ns or short)
    judged = judge(root)
    assert judged.passed
    (finding,) = [one for one in judged.findings if one.rule == "run.lengthened"]
    assert "run_1/attempt_1 was too short and nothing else" in finding.sentence
    plan = (root / "plan.json").read_bytes()
    _, again = _qualify(asked)
    assert again.notes == ["3 of 3 runs are finished already."]
    assert (root / "plan.json").read_bytes() == plan


@pytest.mark.parametrize(
    "wrong", [{"round": "v9"}, {"options": {"nope": "1"}}, {"suite": "fast"}, {"benchmark": "x"}]
)
def test_a_request_that_makes_no_sense_moves_no_evidence(
    tmp_path: Path, wrong: dict[str, Any]
) -> None:
    asked = _asked(tmp_path)
    root, _ = _qualify(asked)
    for fresh in (False, True):
        with pytest.raises(LoadproofError):
            _qualify(replace(asked, fresh=fresh, **wrong))
    assert (root / "plan.json").exists()
    assert not (asked.output / ".previous").exists()


def test_a_wait_for_another_process_is_said_and_ends_with_a_signal(tmp_path: Path) -> None:
    asked = _asked(tmp_path)
    heard, stop = Heard(), StopRequests()
    threading.Timer(0.5, lambda: stop.request("SIGINT")).start()
    with hold(rundir.Evidence(asked.output / ID).lock), pytest.raises(StoppedError, match="SIGINT"):
        qualify(asked, heard, stop, lambda root: root)
    assert sum("Waiting for another loadproof" in note for note in heard.notes) == 1


def test_the_cpu_is_one_device(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="use --streams"):
        _qualify(_asked(tmp_path, backend="onnxruntime", devices=(0, 1), options={}))


def test_a_user_conf_is_frozen_into_the_plan_and_another_one_is_said(tmp_path: Path) -> None:
    conf = tmp_path / "user.conf"
    conf.write_text("*.SingleStream.min_duration = 300\n", "utf-8")
    asked = _asked(tmp_path, user_conf=conf)
    root, _ = _qualify(asked)
    assert {run.loadgen.min_duration_ms for run in load_plan(root / "plan.json").runs} == {300}
    conf.write_text("# the same\n*.SingleStream.min_duration = 300.0\n", "utf-8")
    _, again = _qualify(asked)
    assert again.notes == ["3 of 3 runs are finished already."]
    conf.write_text("*.SingleStream.min_duration = 300\nbert.*.min_duration = 9\n", "utf-8")
    _, elsewhere = _qualify(asked)
    assert elsewhere.notes == ["3 of 3 runs are finished already."]
    kept = Heard()
    qualify(replace(asked, user_conf=None), kept, StopRequests(), lambda at: at, as_planned=True)
    assert kept.notes == ["3 of 3 runs are finished already."]
    _, other = _qualify(replace(asked, user_conf=None))
    said = "The earlier plan was made with another user.conf, which set "
    assert f"{said}*.SingleStream.min_duration = 300:" in other.notes


def test_another_user_conf_has_only_those_scenarios_measured_again_that_it_changes(
    tmp_path: Path,
) -> None:
    conf = tmp_path / "user.conf"
    asked = _asked(tmp_path, scenarios=("Offline", "SingleStream"))
    root, _ = _qualify(asked)
    before = {path: path.stat().st_mtime_ns for path in root.rglob("run.json")}
    conf.write_text("*.Offline.min_duration = 200\n", "utf-8")
    _, heard = _qualify(replace(asked, user_conf=conf))
    assert "3 of 6 runs are finished already." in heard.notes
    assert any(note.startswith("Earlier runs of Offline were moved to") for note in heard.notes)
    after = {path: path.stat().st_mtime_ns for path in root.rglob("run.json")}
    assert after.keys() == before.keys()
    assert {
        path.parts[-3 if "accuracy" in path.parts else -4]
        for path in after
        if after[path] != before[path]
    } == {"Offline"}
    plan = load_plan(root / "plan.json")
    lengths = {run.scenario: run.loadgen.min_duration_ms for run in plan.runs}
    assert lengths == {"Offline": 200, "SingleStream": 500}
    assert plan.user_conf == ("*.Offline.min_duration = 200",)
    audit = judge(root)
    assert audit.passed
    (kept,) = (asked.output / ".previous").iterdir()
    (again_said,) = (one for one in audit.findings if one.rule == "plan.measured_again")
    assert "of Offline alone were set aside and made again 1 time" in again_said.sentence
    assert again_said.sentence.endswith(f".previous/{kept.name}.")
    stated = json.loads((root / "result.json").read_text("utf-8"))["plan"]["set_aside"]
    aside = {"scenario": "Offline", "user_conf": [], "moved_to": f".previous/{kept.name}"}
    assert stated == [aside]
    assert len(list(kept.rglob("run.json"))) == 3
    _, again = _qualify(replace(asked, user_conf=conf))
    assert again.notes == ["6 of 6 runs are finished already."]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("*.Server.target_qps = 3", "decides nothing about resnet50 in SingleStream"),
        ("bert.*.min_duration = 300", "decides nothing about resnet50 in SingleStream"),
        ("*.SingleStream.min_durations = 3", "the nearest is 'min_duration'"),
    ],
)
def test_a_user_conf_that_decides_nothing_or_is_wrong_is_refused(
    tmp_path: Path, line: str, said: str
) -> None:
    (tmp_path / "user.conf").write_text(f"{line}\n", "utf-8")
    with pytest.raises(UsageError, match=r"user\.conf") as refused:
        _qualify(_asked(tmp_path, user_conf=tmp_path / "user.conf"))
    assert said in str(refused.value)


def test_a_soak_of_a_device_that_slows_down_in_every_run_is_a_drift(tmp_path: Path) -> None:
    slow = {"base_ms": "5", "per_sample_ms": "0.1", "drift_percent": "10000"}
    asked = _asked(tmp_path, options=slow, soak_s=2.5)  # a busy machine adds less than it drifts
    root, heard = _qualify(asked)
    assert heard.notes[:2] == [
        "5 runs of a soak were added to the plan.",
        "Soak: 5 runs of SingleStream of about 0.5 s; at least 2.5 s in all.",
    ]
    _, again = _qualify(asked)
    assert again.notes == ["8 of 8 runs are finished already."]
    soak = judge(root, load_policy("qualification")).scenarios[0].soak
    assert soak is not None
    assert (soak.verdict, soak.runs, soak.asked_s) == ("drift", 5, 2.5)
    assert soak.inside is not None
    assert soak.inside.percent < 0
