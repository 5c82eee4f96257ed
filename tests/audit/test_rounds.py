"""Every number of every round, against those that its official checker was published with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from audit.rules import BenchmarkRules, Seeds, common_rules, load_round, round_names

SYSTEM_TYPES = {
    "edge": "edge",
    "datacenter": "datacenter",
    "datacenter,edge": "datacenter_edge",
}
"""Our name of each, and what its lists are called in the reference."""
SHARED = {
    "min_duration_ms": "test_duration_ms",
    "accuracy_log_max_bytes": "accuracy_json_max_bytes",
    **{
        same: same
        for same in (
            "offline_min_samples_per_query",
            "llm_latency_limits_ns",
            "file_size_limit_mb",
            "system_fields",
            "system_fields_non_empty",
            "system_fields_power",
            "system_fields_network",
            "measurement_fields",
            "availability",
            "divisions",
        )
    },
}
"""What all rounds share: our key, and the reference's."""


@pytest.fixture(scope="module")
def reference(shared: Path) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads((shared / "facts/rounds.json").read_text("utf-8"))
    return found


@pytest.mark.parametrize("name", round_names())
def test_every_benchmark_is_the_published_one(name: str, reference: Mapping[str, Any]) -> None:
    round_, published = load_round(name), reference["rounds"][name]
    assert round_.seeds == Seeds(**published["seeds"])
    assert set(published["models"]) <= set(round_.benchmarks)
    for alias, meant in published["model_mapping"].items():
        assert round_.listed(alias) == round_.listed(meant)
    for benchmark in round_.benchmarks:
        rules = round_.listed(benchmark)
        assert rules is not None
        assert _of(rules) == _published(benchmark, name, reference), benchmark


@pytest.mark.parametrize(("ours", "theirs"), SHARED.items())
def test_what_all_rounds_share_is_published(
    ours: str, theirs: str, reference: Mapping[str, Any]
) -> None:
    assert common_rules()[ours] == reference["all_rounds"][theirs]


def _of(rules: BenchmarkRules) -> Mapping[str, Any]:
    target = rules.accuracy_target
    return {
        "required": {kind: set(rules.required_scenarios(kind)) for kind in SYSTEM_TYPES},
        "had": {
            kind: {one for one in rules.named if rules.has_scenario(kind, one)}
            for kind in SYSTEM_TYPES
        },
        "samples": (rules.performance_sample_count, rules.dataset_size),
        "offline": rules.offline_min_samples,
        "queries": {one: least for one in rules.named if (least := rules.min_queries(one))},
        "limits_ns": {
            one: limit for one in rules.named if (limit := rules.latency_limit_ns(one)) is not None
        },
        "metrics": {one: rules.metric(one).key for one in rules.scenarios},
        "tests": set(rules.compliance_tests),
        "target": target and target.value,
    }


def _published(benchmark: str, name: str, reference: Mapping[str, Any]) -> Mapping[str, Any]:
    facts, common = reference["rounds"][name], reference["all_rounds"]

    def scenarios(*lists: str) -> Mapping[str, set[str]]:
        return {
            ours: {one for kind in lists for one in facts[f"{kind}_{theirs}"].get(benchmark, ())}
            for ours, theirs in SYSTEM_TYPES.items()
        }

    scored = benchmark in common_rules()["scored"]
    tests = facts["compliance_tests"]
    return {
        "required": scenarios("required_scenarios"),
        "had": scenarios("required_scenarios", "optional_scenarios"),
        "samples": tuple(
            facts[key][benchmark] for key in ("performance_sample_count", "dataset_size")
        ),
        "offline": common["offline_min_samples_per_query"].get(benchmark),
        "queries": facts["min_queries"][benchmark],
        "limits_ns": facts["latency_constraint"].get(benchmark, {}),
        "metrics": {
            **common["result_field"][name],
            **common["result_field_special"][name].get(benchmark, {}),
        },
        "tests": {test for test, benchmarks in tests.items() if benchmark in benchmarks},
        "target": facts["accuracy_target"][benchmark][1] if scored else None,
    }
