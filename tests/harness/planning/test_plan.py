"""What a qualification plans to run, from what is known of the machine."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit import schema
from audit.rules import load_round, round_names
from datasets.errors import EvidenceError
from harness.planning import plan
from harness.planning.plan import Plan, evidence_id, make_plan
from harness.running import userconf
from harness.spec import SCENARIOS, BackendSpec, ModelRef, RunSpec, Scenario, rounded
from harness.suites import suite_names
from tests.harness.plans import MODEL, SHA, SLOW, inputs, machine

SERVER_QPS = 80.0


def _performance(made: Plan, scenario: Scenario) -> RunSpec:
    return next(run for run in made.runs if run.scenario == scenario and run.mode == "performance")


def _accuracy(made: Plan, scenario: Scenario) -> RunSpec:
    return next(run for run in made.runs if run.scenario == scenario and run.mode == "accuracy")


@pytest.mark.parametrize("benchmark", ["resnet50", "bert"])
@pytest.mark.parametrize("suite", suite_names())
@pytest.mark.parametrize("round_name", round_names())
def test_every_run_has_the_seeds_of_the_round(suite: str, benchmark: str, round_name: str) -> None:
    made = make_plan(inputs(suite, benchmark, round_name), SERVER_QPS)
    assert {run.loadgen.seeds for run in made.runs} == {load_round(round_name).seeds}
    assert schema.problems(made.document, "plan") == []


def test_each_scenario_is_first_judged_for_accuracy_then_measured() -> None:
    made = make_plan(inputs("quick"), SERVER_QPS)
    order = [(run.scenario, run.mode, run.repeat) for run in made.runs]
    assert order[:6] == [
        ("Offline", "accuracy", 1),
        *(("Offline", "performance", number) for number in range(1, 6)),
    ]
    assert list(dict.fromkeys(run.scenario for run in made.runs)) == list(SCENARIOS)


@pytest.mark.parametrize(
    ("scenario", "min_query_count", "percentile"),
    [
        ("Offline", 24_576, None),
        ("SingleStream", 64, 0.9),
        ("MultiStream", 662, 0.99),
        ("Server", 459, 0.99),
    ],
)
def test_the_official_suite_has_the_rounds_lengths_and_limits(
    scenario: Scenario, min_query_count: int, percentile: float | None
) -> None:
    asked = inputs("official")
    asked = replace(asked, dataset=replace(asked.dataset, count=50_000))
    settings = _performance(make_plan(asked, SERVER_QPS), scenario).loadgen
    assert settings.min_duration_ms == 600_000
    assert settings.min_query_count == min_query_count
    assert settings.percentile == percentile
    assert settings.performance_sample_count == 1024
    assert settings.target_latency_ns == (15_000_000 if scenario == "Server" else None)


def test_the_official_offline_query_of_bert_holds_the_whole_dev_set() -> None:
    made = make_plan(inputs("official", "bert", scenarios=("Offline",)), None)
    assert _performance(made, "Offline").loadgen.min_query_count == 10_833


def test_no_more_samples_are_held_than_the_dataset_has() -> None:
    made = make_plan(inputs("official", scenarios=("Offline",)), None)
    assert _performance(made, "Offline").loadgen.performance_sample_count == 500


def test_a_scenario_is_repeated_five_times_where_a_repeat_is_short_and_three_elsewhere() -> None:
    fast = make_plan(inputs("quick"), SERVER_QPS)
    slow = make_plan(inputs("quick", machine=machine(curve=SLOW)), 0.5)
    assert _repeats(fast) == dict.fromkeys(SCENARIOS, 5)
    assert _repeats(slow) == {"Offline": 5, "SingleStream": 3, "MultiStream": 3, "Server": 3}


def _repeats(made: Plan) -> dict[str, int]:
    return Counter(run.scenario for run in made.runs if run.mode == "performance")


@pytest.mark.parametrize(
    ("benchmark", "system_type", "outside"),
    [
        ("resnet50", "edge", {"Server"}),
        ("resnet50", "datacenter,edge", set()),
        ("bert", "edge", {"MultiStream", "Server"}),
        ("bert", "datacenter", {*SCENARIOS}),
    ],
)
def test_a_scenario_that_the_round_has_not_is_noted_in_its_runs(
    benchmark: str, system_type: str, outside: set[str]
) -> None:
    made = make_plan(inputs("quick", benchmark, system_type=system_type), SERVER_QPS)
    for run in made.runs:
        note = f"{run.scenario} is not in this round for {system_type} systems"
        assert (note in run.notes) == (run.scenario in outside)


def test_server_runs_say_their_limit() -> None:
    own = make_plan(inputs("quick", machine=machine(curve=SLOW)), 0.5)
    assert "a single query takes 1000.0 ms" in " ".join(_performance(own, "Server").notes)
    official = make_plan(inputs("quick"), SERVER_QPS)
    assert "Server limit 15 ms: the round's" in _performance(official, "Server").notes


def test_rates_come_from_the_probed_curve_and_all_streams() -> None:
    one = make_plan(inputs("quick"), SERVER_QPS)
    eight = make_plan(inputs("quick", machine=machine(devices=8)), SERVER_QPS)
    assert _performance(one, "Offline").loadgen.target_qps == 2000.0
    assert _performance(eight, "Offline").loadgen.target_qps == 16_000.0
    assert _performance(one, "Server").loadgen.target_qps == SERVER_QPS
    assert _performance(one, "SingleStream").loadgen.expected_latency_ns == 1_000_000
    assert _performance(one, "MultiStream").loadgen.expected_latency_ns == 4_000_000


def test_the_accuracy_run_of_server_does_not_wait_for_a_slow_rate() -> None:
    made = make_plan(inputs("quick"), 3.0)
    assert _accuracy(made, "Server").loadgen.target_qps == 700.0
    faster = make_plan(inputs("quick"), 900.0)
    assert _accuracy(faster, "Server").loadgen.target_qps == 900.0


def test_one_stream_serves_the_scenarios_without_overlapping_queries() -> None:
    made = make_plan(inputs("quick"), SERVER_QPS)
    streams = {run.scenario: run.batching.streams for run in made.runs}
    assert streams == {"Offline": 2, "Server": 2, "SingleStream": 1, "MultiStream": 1}


@pytest.mark.parametrize(
    ("changes", "comparable", "reason"),
    [
        ({"model": replace(MODEL, origin="official")}, True, None),
        ({"model": replace(MODEL, origin="own")}, False, "open division only"),
    ],
)
def test_an_own_model_belongs_to_the_open_division(
    changes: dict[str, Any], comparable: bool, reason: str | None
) -> None:
    asked = inputs("official", **changes)
    asked = replace(asked, dataset=replace(asked.dataset, origin="official"))
    document = make_plan(asked, SERVER_QPS).document
    assert document["comparable"] is comparable
    assert reason is None or reason in " ".join(document["why_not_comparable"])


def test_short_suites_are_not_comparable_and_embedded_is_said() -> None:
    document = make_plan(inputs("smoke"), SERVER_QPS).document
    assert (document["comparable"], document["embedded"]) == (False, True)
    assert "first 32 images or questions" in " ".join(document["why_not_comparable"])


@pytest.mark.parametrize(
    ("backend", "name", "expected"),
    [
        (
            BackendSpec("onnxruntime", "cpu"),
            "resnet50-embedded",
            "onnxruntime-cpu-fp32-resnet50-embedded",
        ),
        (
            BackendSpec("tensorflow", "gpu", (0, 1, 2), "bf16"),
            "bert-tf",
            "tensorflow-gpux3-bf16-bert-tf",
        ),
        (BackendSpec("vendor/one", "gpu", (5,)), "own", "vendor_one-gpu-fp32-own"),
    ],
)
def test_the_id_tells_backend_device_precision_and_model(
    backend: BackendSpec, name: str, expected: str
) -> None:
    assert evidence_id(backend, ModelRef(name, None, SHA, "own")) == expected


@given(st.floats(1e-4, 1e8))
def test_a_rounded_rate_has_four_digits_and_survives_user_conf(rate: float) -> None:
    short = rounded(rate)
    assert short == float(f"{rate:.4g}")
    assert rounded(short) == short
    settings = make_plan(inputs("smoke", scenarios=("Offline",)), None).runs[0].loadgen
    text = userconf.render(replace(settings, target_qps=short))
    (line,) = [line for line in text.splitlines() if "target_qps" in line]
    assert float(line.partition(" = ")[2]) == short


def test_the_estimate_adds_accuracy_and_every_repeat() -> None:
    asked = inputs("smoke", scenarios=("Offline", "SingleStream"))
    made = make_plan(asked, None)
    assert Counter(run.mode for run in made.runs) == {"accuracy": 2, "performance": 4}
    offline_s = 500 / 3000 + 2 * (3000 * 0.5 * 1.1 / 1000)
    single_s = 500 / 1000 + 2 * 0.5
    assert plan.estimated_s(made, asked.machine) == ceil(offline_s + single_s)


def test_a_slow_machine_is_given_the_time_of_twenty_batches_before_it_counts_as_hung() -> None:
    assert machine().stall_s == 60
    assert machine(curve=SLOW).stall_s == 20 * 64


def test_a_plan_survives_its_file(tmp_path: Path) -> None:
    made = make_plan(inputs("quick"), SERVER_QPS)
    plan.save_plan(made, tmp_path / "plan.json")
    kept = plan.load_plan(tmp_path / "plan.json")
    assert kept.runs == made.runs
    assert kept.document == made.document
    assert (kept.request, kept.stall_s) == (SHA, 60)
    assert plan.rules_of(kept) == load_round("v6.1")


def test_half_a_plan_is_no_plan(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    plan.save_plan(make_plan(inputs("smoke"), SERVER_QPS), path)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(EvidenceError, match=r"plan\.json is not JSON"):
        plan.load_plan(path)


def test_the_users_own_settings_come_before_everything_else_and_stand_in_the_plan(
    tmp_path: Path,
) -> None:
    lines = (
        "*.Server.target_qps = 30",
        "resnet50.Server.target_latency = 20",
        "*.*.min_duration = 700",
        "bert.*.min_query_count = 5",
    )
    (tmp_path / "user.conf").write_text("\n".join(lines), "utf-8")
    made = make_plan(inputs(user_conf=userconf.read(tmp_path / "user.conf")), SERVER_QPS)
    server = _performance(made, "Server")
    assert (server.loadgen.target_qps, server.loadgen.target_latency_ns) == (30.0, 20_000_000)
    assert "Server limit 20 ms: the user.conf's" in server.notes
    assert {run.loadgen.min_duration_ms for run in made.runs} == {700}
    assert _performance(made, "Offline").loadgen.target_qps == 2000.0
    assert made.user_conf == lines
    assert made.document["run_s"]["Server"] == pytest.approx(128 / 30, abs=1e-3)
