"""Inspecting a model, through the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from audit import schema
from datasets.disk.cache import default_cache
from harness import exits
from sut.embedded.catalog import embedded_model
from tests.acceptance.command import loadproof
from tests.sut.models import onnx_package, relu_onnx, resnet50_onnx
from tests.sut.test_model_file import LFS_POINTER


def test_what_a_model_is_and_how_it_would_be_driven_is_shown(tmp_path: Path) -> None:
    path = resnet50_onnx(tmp_path / "model.onnx", batch=1)
    done = loadproof("inspect", path)
    assert done.returncode == exits.FINE, done.stderr
    for said in (
        "ONNX model",
        "ai.onnx 13",
        "no: no model of `loadproof list` has its checksum",
        f"{path.stat().st_size:,} bytes",
        "[1, 3, 224, 224]",
        "The model can run resnet50:",
        "1: the model has 1001 classes",
        "The model's shape fixes the batch at 1",
        "The model can't run bert:",
    ):
        assert said in done.stdout


def test_the_same_is_had_as_json_and_keeps_to_its_schema(tmp_path: Path) -> None:
    path = resnet50_onnx(tmp_path / "model.onnx")
    for options in ((), ("--no-open",)):
        done = loadproof("inspect", path, "--json", *options)
        assert done.returncode == exits.FINE, done.stderr
        document = json.loads(done.stdout)
        assert schema.problems(document, "inspection") == []
        assert document["runtime"]["backend"] == "onnxruntime"
        drives = {entry["benchmark"]: not entry["reason"] for entry in document["driving"]}
        assert drives == {"resnet50": True, "bert": False}


def test_a_wrong_file_gets_one_sentence(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed")
    pointer, odd = tmp_path / "pointer" / "model.onnx", tmp_path / "odd.onnx"
    pointer.parent.mkdir()
    pointer.write_bytes(LFS_POINTER)
    relu_onnx(odd, operator="Frobnicate")
    wrong = {
        pointer: "is a Git LFS pointer",
        odd: "the operator Frobnicate",
        tmp_path: "no SavedModel",
    }
    for path, said in wrong.items():
        done = loadproof("inspect", path)
        assert done.returncode == exits.USAGE
        (sentence,) = done.stderr.splitlines()
        assert said in sentence
        assert str(path) in sentence
        assert not done.stdout


def test_an_embedded_model_is_known_and_never_called_mlperf(tmp_path: Path) -> None:
    onnx_package()
    path = embedded_model("resnet50", ".onnx", default_cache())
    done = loadproof("inspect", path, "--no-open")
    assert "resnet50-embedded-onnx (embedded: not an MLPerf model)" in done.stdout
