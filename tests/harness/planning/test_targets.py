"""The accuracy that a run must reach, by model and dataset."""

from __future__ import annotations

from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.accuracy.interval import share_interval
from audit.rules import load_round
from harness.benchmarks import benchmark_named
from harness.planning.targets import Target, embedded_references, least_reaching, target_for
from harness.spec import DatasetRef, Origin
from tests.harness.plans import MODEL, SHA


def _target(benchmark: str, origin: Origin, first: int | None = None) -> Target:
    dataset = DatasetRef("items", "imagenet", "items", SHA, 500, origin, first=first)
    return target_for(benchmark_named(benchmark), MODEL, dataset, load_round("v6.1"))


@pytest.mark.parametrize(
    ("benchmark", "metric", "items"), [("resnet50", "top1_percent", 500), ("bert", "f1", None)]
)
def test_embedded_data_asks_for_99_percent_of_the_recorded_score(
    benchmark: str, metric: str, items: int | None
) -> None:
    reference = embedded_references()[benchmark]
    target = _target(benchmark, "embedded")
    assert target.metric == metric
    assert target.value == pytest.approx(0.99 * reference["reference"], abs=1e-4)
    assert f"on {items or reference['items']} items" in target.source
    assert len(reference["percent_by_item"]) == reference["items"]


@pytest.mark.parametrize("benchmark", ["resnet50", "bert"])
def test_the_first_32_items_refuse_only_what_lies_wholly_below_their_own_score(
    benchmark: str,
) -> None:
    scores = embedded_references()[benchmark]["percent_by_item"][:32]
    target, wished = _target(benchmark, "embedded", first=32), 0.99 * fmean(scores)
    assert wished - 10 < target.value <= wished - 100 / 32 + 1
    assert "the least score whose 95 % interval reaches" in target.source
    assert "on 32 items" in target.source


@given(percent=st.floats(1, 100), count=st.integers(1, 200))
def test_one_item_less_than_the_least_score_lies_wholly_below(percent: float, count: int) -> None:
    least = least_reaching(percent, count)
    right = round(least * count / 100)
    assert share_interval(least, count).high >= percent
    assert not right or share_interval(100 * (right - 1) / count, count).high < percent


@pytest.mark.parametrize(
    ("benchmark", "value", "name"),
    [("resnet50", 75.6954, "resnet"), ("bert", 89.96526, "bert-99")],
)
def test_official_data_asks_for_the_rounds_target(benchmark: str, value: float, name: str) -> None:
    target = _target(benchmark, "official")
    assert target.value == pytest.approx(value)
    assert target.source == f"round v6.1, {name}, closed division"


def test_a_simulated_device_must_be_right() -> None:
    assert _target("resnet50", "simulated").document() == {
        "metric": "top1_percent",
        "value": 99.0,
        "source": "the simulated device is always right",
    }
