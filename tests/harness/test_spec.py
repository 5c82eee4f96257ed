"""A spec survives its file, and says what LoadGen's log must report."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit import schema
from audit.rules import Seeds
from harness.spec import (
    SCENARIOS,
    BackendSpec,
    Batching,
    DatasetRef,
    LoadGenSettings,
    ModelRef,
    RunSpec,
    Scenario,
    scenario_named,
    spec_from,
)

_HEX = st.text("0123456789abcdef", min_size=64, max_size=64)
_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_PATH = st.none() | _TEXT
_COUNT = st.integers(1, 1 << 40)
_ORIGIN = st.sampled_from(["embedded", "official", "own", "simulated"])
_SEED = st.integers(0, (1 << 64) - 1)

SPECS = st.builds(
    RunSpec,
    benchmark=st.sampled_from(["resnet50", "bert"]),
    suite=_TEXT,
    round=_TEXT,
    backend=st.builds(
        BackendSpec,
        name=_TEXT,
        device=st.sampled_from(["cpu", "gpu"]),
        devices=st.lists(st.integers(0, 99), min_size=1, unique=True).map(tuple),
        precision=_TEXT,
        options=st.dictionaries(_TEXT, _TEXT, max_size=3),
    ),
    model=st.builds(ModelRef, name=_TEXT, path=_PATH, sha256=_HEX, origin=_ORIGIN),
    dataset=st.builds(
        DatasetRef,
        name=_TEXT,
        kind=st.sampled_from(["imagenet", "squad", "simulated"]),
        path=_PATH,
        sha256=_HEX,
        count=st.integers(1, 10_000_000),
        origin=_ORIGIN,
        labels=_PATH,
        vocab=_PATH,
        first=st.none() | _COUNT,
        store=_TEXT,
    ),
    loadgen=st.builds(
        LoadGenSettings,
        scenario=st.sampled_from(SCENARIOS),
        mode=st.sampled_from(["accuracy", "performance"]),
        seeds=st.builds(Seeds, _SEED, _SEED, _SEED),
        min_duration_ms=st.integers(0, 1 << 40),
        min_query_count=_COUNT,
        performance_sample_count=_COUNT,
        target_qps=st.none() | st.floats(1e-9, 1e9),
        expected_latency_ns=st.none() | _COUNT,
        target_latency_ns=st.none() | _COUNT,
        percentile=st.none() | st.sampled_from([0.9, 0.97, 0.99, 0.999]),
    ),
    batching=st.builds(
        Batching,
        max_batch=_COUNT,
        streams=_COUNT,
        threads=_COUNT,
        max_delay_us=st.integers(0, 1 << 40),
    ),
    repeat=st.integers(1, 100_000),
    test=st.sampled_from([None, "TEST01", "TEST04"]),
    notes=st.lists(_TEXT, max_size=3).map(tuple),
)


@given(SPECS)
def test_every_spec_fits_its_schema_and_comes_back_from_json(spec: RunSpec) -> None:
    document = json.loads(json.dumps(spec.document()))
    assert schema.problems(document, "spec") == []
    assert spec_from(document) == spec
    assert spec_from(document).document() == spec.document()


SEEDS = Seeds(1, 2, 3)
ALWAYS = {
    "min_duration_ms": 600_000,
    "performance_sample_count": 1024,
    "qsl_rng_seed": 1,
    "sample_index_rng_seed": 2,
    "schedule_rng_seed": 3,
    "test_mode": "PerformanceOnly",
}


@pytest.mark.parametrize(
    ("settings", "only"),
    [
        (
            LoadGenSettings("Offline", "performance", SEEDS, 600_000, 24_576, 1024, target_qps=500),
            {"scenario": "Offline", "target_qps": 500},
        ),
        (
            LoadGenSettings(
                "Server",
                "performance",
                SEEDS,
                600_000,
                459,
                1024,
                target_qps=80.5,
                target_latency_ns=15_000_000,
                percentile=0.99,
            ),
            {
                "scenario": "Server",
                "target_qps": 80.5,
                "target_latency_ns": 15_000_000,
                "target_latency_percentile": 0.99,
                "min_query_count": 459,
            },
        ),
        (
            LoadGenSettings(
                "SingleStream",
                "performance",
                SEEDS,
                600_000,
                64,
                1024,
                expected_latency_ns=5_000_000,
                percentile=0.9,
            ),
            {"scenario": "SingleStream", "target_latency_percentile": 0.9, "min_query_count": 64},
        ),
        (
            LoadGenSettings(
                "MultiStream", "performance", SEEDS, 600_000, 662, 1024, percentile=0.99
            ),
            {
                "scenario": "MultiStream",
                "target_latency_percentile": 0.99,
                "min_query_count": 662,
                "samples_per_query": 8,
            },
        ),
    ],
    ids=lambda value: value.scenario if isinstance(value, LoadGenSettings) else "",
)
def test_the_log_must_report_what_the_scenario_uses(
    settings: LoadGenSettings, only: dict[str, object]
) -> None:
    assert settings.effective() == {**ALWAYS, **only}


def test_an_accuracy_run_asks_for_loadgens_accuracy_mode() -> None:
    settings = LoadGenSettings("Offline", "accuracy", SEEDS, 0, 1, 1024, target_qps=1)
    assert settings.effective()["test_mode"] == "AccuracyOnly"


@pytest.mark.parametrize(
    ("text", "scenario"),
    [("offline", "Offline"), ("SERVER", "Server"), ("MultiStream", "MultiStream"), ("burst", None)],
)
def test_a_scenario_is_named_in_any_case(text: str, scenario: Scenario | None) -> None:
    assert scenario_named(text) == scenario
