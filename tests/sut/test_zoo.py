"""The models known by name."""

from __future__ import annotations

import json
from importlib.resources import files

import jsonschema
import pytest

from datasets.errors import UsageError
from sut.zoo import model, models


def test_the_official_resnet50_for_onnx() -> None:
    found = model("resnet50-onnx")
    assert found.file == "resnet50_v1.onnx"
    assert found.suffix == ".onnx"
    assert found.md5 == "f6a4da60cd5f084d97efc2c1ddb10beb"
    assert found.precision == "fp32"


def test_a_preferred_model_comes_first() -> None:
    assert models("resnet50", ".onnx")[0].name == "resnet50-onnx"
    assert models("resnet50", ".pb")[0].name == "resnet50-tf"
    assert models("bert", ".onnx")[0].name == "bert-onnx"
    assert models("bert", ".pb")[0].name == "bert-tf"


@pytest.mark.parametrize("benchmark", ["resnet50", "bert"])
@pytest.mark.parametrize("suffix", [".onnx", ".pb"])
def test_each_benchmark_has_an_official_and_an_embedded_model(benchmark: str, suffix: str) -> None:
    assert {entry.origin for entry in models(benchmark, suffix)} == {"official", "embedded"}


def test_models_filters_by_what_is_given() -> None:
    assert len(models()) == len(models("bert")) + len(models("resnet50"))
    assert models("bert", ".h5") == ()
    assert {entry.benchmark for entry in models(suffix=".pb")} == {"bert", "resnet50"}


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"'resnet51'.*resnet50-onnx.*bert-tf"):
        model("resnet51")


def test_checksums_tell_files_of_one_name_apart() -> None:
    checksums = [entry.md5 for entry in models() if entry.md5]
    assert len(set(checksums)) == len(checksums) == 6


def test_names_are_unique() -> None:
    document = json.loads(files("sut").joinpath("zoo.json").read_text("utf-8"))
    names = [entry["name"] for entry in document["models"]]
    assert len(set(names)) == len(names) == len(models())


@pytest.mark.parametrize(
    "change",
    [
        {"precision": "fp8"},
        {"file": "../model.onnx"},
        {"benchmark": "resnet"},
        {"colour": "red"},
    ],
)
def test_the_schema_refuses_a_model_that_cannot_be_used(change: dict[str, object]) -> None:
    room = files("sut")
    document = json.loads(room.joinpath("zoo.json").read_text("utf-8"))
    schema = json.loads(room.joinpath("zoo.schema.json").read_text("utf-8"))
    document["models"][0].update(change)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, schema)
