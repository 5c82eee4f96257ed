"""How long a sweep is said to take, before anything is measured."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from datasets.embedded.digits import scored_digits
from harness.request import Request
from harness.sweep.estimate import OPENING_S, Estimate, estimate_of
from harness.sweep.grid import Axes, Configuration, Grid
from harness.sweep.recommend import Goal
from harness.sweep.request import SweepRequest

AXES = Axes(("onnxruntime",), ("fp32", "int8"), (None,), (1,), (None,), (1, 8))
GRID = Grid(
    tuple(
        Configuration("onnxruntime", precision, None, 1, 4, batch)
        for precision in AXES.precisions
        for batch in AXES.batches
    ),
    (),
)


@pytest.fixture(autouse=True)
def _four_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.sweep.estimate.usable_cores", lambda: 4)


def _estimate(benchmark: str = "resnet50", accuracy: bool = True, **changes: Any) -> Estimate:
    request = Request(benchmark, "onnxruntime", "cpu", output=Path("out"), cache=Path("cache"))
    goal = Goal("throughput", None, None)
    wanted = SweepRequest(replace(request, **changes), AXES, 2.0, goal, accuracy)
    return estimate_of(wanted, GRID)


def test_each_precision_is_scored_once_on_the_whole_dataset() -> None:
    estimate = _estimate()
    assert estimate.measuring_s == 4 * (2.0 + OPENING_S)
    assert estimate.scoring_s == pytest.approx(2 * (OPENING_S + 500 * 0.055 / 4))
    assert _estimate(accuracy=False) == replace(estimate, scoring_s=0)


def test_official_data_take_as_long_as_there_are_samples() -> None:
    images_s = _estimate(model_name="resnet50-onnx").scoring_s
    assert images_s == pytest.approx(2 * (OPENING_S + 50_000 * 0.055 / 4))
    assert _estimate("bert", model_name="bert-onnx").scoring_s > 2 * images_s
    assert _estimate(model_name="resnet50-onnx", device="gpu").scoring_s < images_s


def test_a_backend_with_a_model_of_its_own_only_has_to_be_opened() -> None:
    one = replace(GRID.configurations[0], backend="simulated")
    request = Request("resnet50", "simulated", "cpu", output=Path("out"), cache=Path("cache"))
    wanted = SweepRequest(request, AXES, 2.0, Goal("throughput", None, None), accuracy=True)
    assert estimate_of(wanted, Grid((one,), ())).scoring_s == OPENING_S


def test_the_embedded_data_have_as_many_samples_as_are_counted() -> None:
    """A question whose text is long becomes several."""
    work = json.loads(files("harness.sweep").joinpath("scoring_work.json").read_text("utf-8"))
    assert work["resnet50"]["embedded"]["samples"] == len(scored_digits())
    articles = json.loads(files("datasets.embedded").joinpath("questions.json").read_text("utf-8"))
    paragraphs = [one for article in articles["data"] for one in article["paragraphs"]]
    questions = sum(len(one["qas"]) for one in paragraphs)
    assert questions <= work["bert"]["embedded"]["samples"] < 2 * questions
