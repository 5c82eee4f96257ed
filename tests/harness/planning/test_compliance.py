"""Compliance tests as runs: which a plan gets, what LoadGen makes of them, and what stays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit import schema
from audit.compliance import complaints
from audit.compliance_tests import compliance_test
from audit.logs.accuracy_log import read_accuracy_log
from audit.logs.loadgen_log import read_detail
from audit.planned.asked import asked_from
from audit.rules import load_round
from audit.runs.settings import differences
from datasets.disk.cache import default_cache
from datasets.samples.simulated import labels
from harness.planning.additions import with_tests
from harness.planning.plan import Plan, load_plan, make_plan, save_plan
from harness.running.audit_config import write_audit_config
from harness.running.patience import Patience
from harness.running.supervisor import RunResult, supervise
from harness.spec import SCENARIOS, RunSpec, Scenario, spec_from
from harness.stop import StopRequests
from tests.harness.plans import inputs
from tests.harness.specs import SAMPLES, simulated_spec

TESTS = ("TEST01", "TEST04")


def planned(benchmark: str = "resnet50", **changes: Any) -> Plan:
    return make_plan(inputs("quick", benchmark, **changes), 80.0)


def planned_tests(plan: Plan) -> list[tuple[str, str]]:
    return [(run.scenario, run.test) for run in plan.runs if run.test]


@pytest.mark.parametrize(
    ("benchmark", "system_type", "expected"),
    [
        (
            "resnet50",
            "edge",
            [(s, t) for s in ("Offline", "SingleStream", "MultiStream") for t in TESTS],
        ),
        ("resnet50", "datacenter,edge", [(s, t) for s in SCENARIOS for t in TESTS]),
        ("bert", "edge", [("Offline", "TEST01"), ("SingleStream", "TEST01")]),
        ("bert", "datacenter", []),
    ],
)
def test_each_scenario_of_the_round_gets_the_tests_that_the_round_demands(
    benchmark: str, system_type: str, expected: list[tuple[str, str]]
) -> None:
    tested = with_tests(planned(benchmark, system_type=system_type))
    assert planned_tests(tested) == expected
    assert schema.problems(tested.document, "plan") == []


def test_a_test_follows_its_performance_runs_and_is_one_of_them_but_for_the_test() -> None:
    tested = with_tests(planned(scenarios=("Offline",)))
    assert [(run.mode, run.repeat, run.test) for run in tested.runs] == [
        ("accuracy", 1, None),
        *(("performance", number, None) for number in range(1, 6)),
        ("performance", 1, "TEST01"),
        ("performance", 1, "TEST04"),
    ]
    performance = tested.runs[1]
    assert [replace(run, test=None) for run in tested.runs[-2:]] == [performance] * 2


def test_a_plan_that_gains_tests_keeps_its_runs_and_gains_them_once(tmp_path: Path) -> None:
    plan = planned()
    tested = with_tests(plan)
    assert tuple(run for run in tested.runs if run.test is None) == plan.runs
    assert {**tested.document, "runs": []} == {**plan.document, "runs": []}
    assert with_tests(tested) == tested
    save_plan(tested, tmp_path / "plan.json")
    assert load_plan(tmp_path / "plan.json").runs == tested.runs
    assert with_tests(load_plan(tmp_path / "plan.json")).runs == tested.runs


def test_the_spec_says_what_the_log_of_a_test_must_show() -> None:
    spec = replace(simulated_spec(default_cache()), test="TEST04")
    settings = spec.document()["settings"]
    assert settings["performance_issue_same_index"] == 3
    assert settings["performance_issue_same"] is True
    assert spec_from(spec.document()) == spec
    assert schema.problems(spec.document(), "spec") == []


def test_only_a_test_gets_an_audit_config(tmp_path: Path) -> None:
    spec = simulated_spec(default_cache())
    assert write_audit_config(spec, tmp_path) is None
    assert list(tmp_path.iterdir()) == []
    path = write_audit_config(replace(spec, test="TEST01"), tmp_path)
    assert path == tmp_path / "audit.config"
    assert path.read_text("utf-8") == compliance_test("TEST01").config_text()


def _run(spec: RunSpec, folder: Path) -> RunResult:
    return supervise(spec, folder, StopRequests(), Patience(stall_s=5))


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_loadgen_takes_the_test_and_leaves_every_other_setting(
    tmp_path: Path, scenario: Scenario, test: str
) -> None:
    spec = replace(simulated_spec(default_cache(), scenario), test=test)
    if scenario == "Server":
        spec = spec.at(target_latency_ns=2_000_000_000)  # which a busy machine keeps too
    result = _run(spec, tmp_path / "run")
    assert (result.record["outcome"], result.record["cause"]) == ("finished", "")
    log = read_detail(result.folder / "mlperf_log_detail.txt")
    assert list(complaints.of_settings(compliance_test(test), log)) == []
    assert differences(log, asked_from(spec.document())) == ()
    assert log.value("result_validity") == "VALID"
    assert log.errors == ()
    seeds = load_round("v6.1").seeds
    assert log.value("effective_qsl_rng_seed") == seeds.qsl_rng_seed
    answers = result.folder / "mlperf_log_accuracy.json"
    if test == "TEST04":
        assert answers.read_text("utf-8").split() == ["[", "]"]
    else:
        truth = labels(SAMPLES).astype("<f4")
        sampled = read_accuracy_log(answers)
        assert all(one.data == truth[one.qsl_idx].tobytes() for one in sampled)
