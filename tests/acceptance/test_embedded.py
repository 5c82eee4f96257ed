"""The embedded models and data, on each runtime that is installed, through the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit import schema
from audit.logs.accuracy_log import read_accuracy_log
from harness import exits
from harness.spec import SCENARIOS
from sut.backend import provider
from tests.acceptance.command import loadproof

BACKENDS = ("onnxruntime", "tensorflow")


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One OUTPUT_DIR for all pairs: they must not touch each other's evidence."""
    return tmp_path_factory.mktemp("output")


def _evidence(outputs: Path, backend: str, benchmark: str) -> Path:
    return outputs / f"{backend}-cpu-fp32-{benchmark}-embedded"


@pytest.mark.parametrize("benchmark", ["resnet50", "bert"])
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_smoke_qualification_passes_in_all_scenarios(
    outputs: Path, backend: str, benchmark: str, request: pytest.FixtureRequest
) -> None:
    if provider(backend).availability().version is None:
        pytest.skip(f"{backend} is not installed")
    if benchmark == "bert":
        request.getfixturevalue("official_vocab")
    asked = ("qualify", "-b", benchmark, "-k", backend, "--suite", "smoke")
    done = loadproof(*asked, "--output", outputs)
    assert done.returncode == exits.FINE, done.stdout + done.stderr
    assert "not an MLPerf result" in done.stdout
    root = _evidence(outputs, backend, benchmark)
    result: dict[str, Any] = schema.read(root / "result.json", "result")
    assert result["embedded"] is True
    assert {row["scenario"] for row in result["scenarios"]} == set(SCENARIOS)
    for row in result["scenarios"]:
        assert row["accuracy"]["passed"]
        assert row["performance"]["spread"]["median"] > 0
    devices = {run["device_used"] for run in result["runs"]}
    assert len(devices) == 1
    assert "CPU" in devices.pop().upper()


def test_both_runtimes_give_every_image_the_same_label(outputs: Path) -> None:
    logs = [_evidence(outputs, backend, "resnet50") for backend in BACKENDS]
    if not all(log.exists() for log in logs):
        pytest.skip("not both runtimes are installed")
    first, second = (_labels(log, "Offline") for log in logs)
    assert first.keys() == second.keys()
    assert sum(first[index] != second[index] for index in first) == 0


def _labels(root: Path, scenario: str) -> dict[int, float]:
    path = root / "resnet50" / scenario / "accuracy" / "mlperf_log_accuracy.json"
    records = read_accuracy_log(path)
    return {record.qsl_idx: float(np.frombuffer(record.data, "<f4")[0]) for record in records}


def test_every_scenario_gives_the_same_labels(outputs: Path) -> None:
    root = _evidence(outputs, "onnxruntime", "resnet50")
    if not root.exists():
        pytest.skip("onnxruntime is not installed")
    offline = _labels(root, "Offline")
    assert len(offline) == 32
    for scenario in SCENARIOS:
        assert _labels(root, scenario) == offline


def test_no_run_of_the_embedded_models_needs_more_than_two_gibibytes(outputs: Path) -> None:
    records = list(outputs.glob("onnxruntime-*/**/run.json"))
    if not records:
        pytest.skip("onnxruntime is not installed")
    peaks = [json.loads(path.read_text())["resources"]["peak_rss_bytes"] for path in records]
    assert 0 < max(peaks) < 2 << 30
