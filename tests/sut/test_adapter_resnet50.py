"""ResNet50 models of every usual export answer the same labels, and what was detected is stated."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.errors import ModelError, UsageError
from sut.adapter import Adapter
from sut.adapters import adapter_for
from sut.adapters.resnet50 import resnet50_adapter
from sut.backend import OpenRequest, Tensor, provider
from tests.sut.models import CLASS_OF_CHANNEL, resnet50_onnx
from tests.sut.samples import images

IMAGE = Tensor("input_tensor:0", "float32", (None, 3, 224, 224))
SCORES = Tensor("softmax_tensor:0", "float32", (None, 1001))
LABEL = Tensor("ArgMax:0", "int64", (None,))
CHANNELS = (2, 0, 1, 1)


def answered(model: Path, channels: tuple[int, ...]) -> tuple[Adapter, list[float]]:
    """The adapter of a model, and the labels it logs for images with these brightest channels."""
    backend = provider("onnxruntime").open(OpenRequest(model))
    adapter = adapter_for("resnet50", backend, {})
    samples = images(channels, adapter.needs.layout)
    answers = adapter.answers(backend.predict(adapter.feeds(samples), adapter.outputs), samples)
    assert len(answers) == len(channels)
    return adapter, [float(np.frombuffer(data, "<f4")[0]) for data in answers.texts()]


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
@pytest.mark.parametrize("classes", [1000, 1001])
@pytest.mark.parametrize(
    "outputs", [("ArgMax:0", "softmax_tensor:0"), ("softmax_tensor:0",)], ids=["both", "scores"]
)
def test_labels_come_out_right_whatever_the_export(
    tmp_path: Path, layout: str, classes: int, outputs: tuple[str, ...]
) -> None:
    pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed")
    model = resnet50_onnx(
        tmp_path / "m.onnx", layout=layout, classes=classes, outputs=outputs, input_name="data"
    )
    adapter, labels = answered(model, CHANNELS)
    assert labels == [CLASS_OF_CHANNEL[c] - (classes - 1000) for c in CHANNELS]
    assert adapter.needs.layout == adapter.facts["layout"] == layout
    assert adapter.facts["answer"] == outputs[0]
    assert adapter.facts["label_offset"].startswith(f"{classes - 1000}: ")
    assert adapter.max_batch is None


def test_a_fixed_batch_is_run_as_it_is_with_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed")
    adapter, labels = answered(resnet50_onnx(tmp_path / "m.onnx", batch=1), (1,))
    assert labels == [499]
    assert adapter.max_batch == 1
    assert "fixes the batch at 1" in adapter.facts["warning"]


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("input_tensor:0", {}, "1: assumed"),
        ("input_tensor", {}, "1: assumed"),
        ("data", {}, "0: assumed"),
        ("data", {"label_offset": "1"}, "1: as asked"),
        ("input_tensor:0", {"label_offset": "0"}, "0: as asked"),
    ],
)
def test_an_offset_that_can_not_be_seen_is_assumed_and_said(
    name: str, options: dict[str, str], said: str
) -> None:
    adapter = resnet50_adapter([Tensor(name, "float32", IMAGE.shape)], [LABEL], options)
    assert adapter.facts["label_offset"].startswith(said)
    answers = adapter.answers([np.array([7, 8, 9, 9])], images(CHANNELS, "NCHW"))
    assert answers.data.tolist() == [label - int(said[0]) for label in (7, 8, 9, 9)]


@pytest.mark.parametrize(
    ("inputs", "outputs", "found"),
    [
        ([], [LABEL], "its inputs are: none"),
        ([IMAGE, IMAGE], [LABEL], "its inputs are: input_tensor:0 float32"),
        ([Tensor("x", "uint8", (None, 224, 224, 3))], [LABEL], "x uint8 [?, 224, 224, 3]"),
        ([Tensor("x", "float32", (None, 3, 299, 299))], [LABEL], "x float32 [?, 3, 299, 299]"),
        ([Tensor("x", "float32", (None, 384))], [LABEL], "x float32 [?, 384]"),
        ([IMAGE], [], "its outputs are: none"),
        ([IMAGE], [Tensor("y", "float32", (None, 21841))], "y float32 [?, 21841]"),
        ([IMAGE], [Tensor("y", "int64", (None, 100))], "y int64 [?, 100]"),
    ],
)
def test_an_unfit_model_is_refused_saying_what_it_has(
    inputs: list[Tensor], outputs: list[Tensor], found: str
) -> None:
    with pytest.raises(ModelError) as caught:
        resnet50_adapter(inputs, outputs, {})
    assert "can't run resnet50" in str(caught.value)
    assert found in str(caught.value)


def test_an_offset_of_two_is_refused() -> None:
    with pytest.raises(UsageError, match="label_offset=2"):
        resnet50_adapter([IMAGE], [SCORES], {"label_offset": "2"})


def test_answers_that_do_not_fit_the_batch_are_refused() -> None:
    adapter = resnet50_adapter([IMAGE], [LABEL], {})
    with pytest.raises(ModelError, match="batch of 4 images"):
        adapter.answers([np.zeros(3, np.int64)], images(CHANNELS, "NCHW"))


def test_images_are_handed_on_without_a_copy() -> None:
    samples = images((0,), "NCHW")
    feeds = resnet50_adapter([IMAGE], [LABEL], {}).feeds(samples)
    assert feeds["input_tensor:0"] is samples["image"]


def test_a_class_without_a_label_is_refused() -> None:
    adapter = resnet50_adapter([IMAGE], [LABEL], {})
    with pytest.raises(ModelError, match="class 1001; its labels end at class 1000"):
        adapter.answers([np.array([7, 1001, 9, 9])], images(CHANNELS, "NCHW"))
