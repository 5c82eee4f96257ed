"""The rules of the rounds, against what the rounds published."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit import rules, schema
from audit.rules import Seeds, load_round, round_names
from datasets.errors import UsageError

ROUNDS = Path(rules.__file__).parent / "rounds"


def test_every_round_file_fits_its_schema() -> None:
    assert round_names() == ("v5.0", "v5.1", "v6.0", "v6.1")
    for name in round_names():
        schema.read(ROUNDS / f"{name}.json", "round")
        assert load_round(name).name == name


def test_unknown_round_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"'v4\.1'.*v5\.0, v5\.1, v6\.0, v6\.1"):
        load_round("v4.1")


def test_unknown_benchmark_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"retinanet.*bert, resnet50"):
        load_round("v6.1").benchmark("retinanet")


@pytest.mark.parametrize(
    ("name", "seeds"),
    [
        ("v5.0", Seeds(6023615788873153749, 15036839855038426416, 9933818062894767841)),
        ("v5.1", Seeds(1780908523862526354, 14771362308971278857, 18209322760996052031)),
        ("v6.0", Seeds(2465351861681999779, 14276810075590677512, 3936089224930324775)),
        ("v6.1", Seeds(2085463073848966840, 2747215439041700203, 16159082839903944936)),
    ],
)
def test_each_round_has_its_own_seeds(name: str, seeds: Seeds) -> None:
    assert load_round(name).seeds == seeds


def test_resnet50_in_v6_1() -> None:
    rules = load_round("v6.1").benchmark("resnet50")
    assert rules.name == "resnet"
    assert rules.performance_sample_count == 1024
    assert rules.dataset_size == 50000
    assert rules.offline_min_samples == 24576
    assert rules.latency_limit_ns("Server") == 15_000_000
    assert rules.min_queries("Server") == 270_336
    assert rules.percentile("SingleStream") == 0.9
    assert rules.percentile("Offline") is None
    assert rules.accuracy_target.metric == "top1_percent"
    assert rules.accuracy_target.value == pytest.approx(76.46 * 0.99)
    assert rules.compliance_tests == ("TEST01", "TEST04")


def test_bert_in_v6_1_has_two_scenarios_and_no_server_limit() -> None:
    rules = load_round("v6.1").benchmark("bert")
    assert rules.name == "bert-99"
    assert set(rules.required_scenarios("edge")) == {"SingleStream", "Offline"}
    assert not rules.has_scenario("edge", "Server")
    assert not rules.has_scenario("edge", "MultiStream")
    assert rules.latency_limit_ns("Server") is None
    assert rules.accuracy_target.value == pytest.approx(90.874 * 0.99)
    assert rules.compliance_tests == ("TEST01",)


def test_resnet50_server_left_the_datacenter_after_v5_0() -> None:
    assert load_round("v5.0").benchmark("resnet50").has_scenario("datacenter", "Server")
    assert not load_round("v5.1").benchmark("resnet50").has_scenario("datacenter", "Server")


@pytest.mark.parametrize("written", ["edge,datacenter", "Datacenter, Edge", "datacenter,edge"])
def test_both_system_types_can_be_written_in_any_order(written: str) -> None:
    rules = load_round("v5.0").benchmark("resnet50")
    assert len(rules.required_scenarios(written)) == 4


def test_a_round_file_of_another_shape_is_refused() -> None:
    document = {"schema": "loadproof/round", "version": 1, "round": "6.1"}
    complaints = schema.problems(document, "round")
    assert any("'6.1' does not match" in complaint for complaint in complaints)
    assert any("'benchmarks' is a required property" in complaint for complaint in complaints)
