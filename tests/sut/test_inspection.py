"""What is found out about a model, with and without the runtime that reads it."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import md5, sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from datasets.errors import ModelError
from sut import zoo
from sut.backend import Availability, OpenRequest, Tensor, provider, provider_names
from sut.inspection import Inspection, inspect_model, opening
from tests.sut.models import (
    BERT_INT8_NAMES,
    bert_onnx,
    onnx_package,
    relu_onnx,
    resnet50_onnx,
    write_onnx,
)

BIG_BYTES = 1 << 28
"""Enough to be noticed, were it read into memory."""


def driven(inspection: Inspection, benchmark: str) -> Mapping[str, str]:
    """What the adapter of ``benchmark`` detected."""
    (entry,) = [entry for entry in inspection.driving if entry.benchmark == benchmark]
    assert not entry.reason
    return entry.facts


def refused(inspection: Inspection, benchmark: str) -> str:
    """Why the adapter of ``benchmark`` can't drive the model."""
    (entry,) = [entry for entry in inspection.driving if entry.benchmark == benchmark]
    assert not entry.facts
    return entry.reason


def needs_onnxruntime() -> None:
    pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed")


@pytest.fixture
def without_runtimes(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where no runtime is installed: its backend is known, and says what to install."""

    def absent(name: str) -> Any:
        availability = Availability(None, f"{name} is not installed; install it")
        suffixes = provider(name).model_suffixes
        return SimpleNamespace(
            name=name, model_suffixes=suffixes, availability=lambda: availability
        )

    monkeypatch.setattr(opening, "providers", lambda: {n: absent(n) for n in provider_names()})


def test_facts_of_an_onnx_file_stand_in_the_file(tmp_path: Path, without_runtimes: None) -> None:
    path = resnet50_onnx(tmp_path / "model.onnx")
    content = path.read_bytes()
    found = inspect_model(path)
    assert found.form == "ONNX model"
    assert found.declared.opsets == {"ai.onnx": 13}
    assert found.declared.ir_version == 8
    assert found.declared.inputs == (Tensor("input_tensor:0", "float32", (None, 3, 224, 224)),)
    assert found.declared.outputs == (
        Tensor("ArgMax:0", "int64", (None,)),
        Tensor("softmax_tensor:0", "float32", (None, 1001)),
    )
    assert found.identity.size_bytes == len(content)
    assert found.identity.sha256 == sha256(content).hexdigest()
    assert found.identity.md5 == md5(content).hexdigest()
    assert found.identity.known is None
    assert driven(found, "resnet50")["layout"] == "NCHW"
    assert found.opened.runtime.backend == "onnxruntime"
    assert found.opened.runtime.version is None
    assert found.opened.runtime.reason == "onnxruntime is not installed; install it"


@pytest.mark.parametrize(
    "write",
    [
        resnet50_onnx,
        bert_onnx,
        relu_onnx,
        lambda path: resnet50_onnx(path, batch=1, layout="NHWC", classes=1000),
        lambda path: resnet50_onnx(path, outputs=["ArgMax:0"]),
        lambda path: bert_onnx(path, names=BERT_INT8_NAMES, tokens=384, joined=True),
    ],
)
def test_the_file_and_the_runtime_say_the_same_of_inputs_and_outputs(
    tmp_path: Path, write: Callable[[Path], Path]
) -> None:
    needs_onnxruntime()
    path = write(tmp_path / "model.onnx")
    file_alone, opened = inspect_model(path, opening=False), inspect_model(path)
    assert (opened.opened.runtime.precision, opened.opened.runtime.reason) == ("fp32", "")
    assert file_alone.opened.runtime.reason == "Opening was not asked for."
    assert file_alone.declared == opened.declared
    assert file_alone.driving == opened.driving


def test_a_fixed_batch_is_run_as_it_is_with_a_warning(tmp_path: Path) -> None:
    facts = driven(inspect_model(resnet50_onnx(tmp_path / "one.onnx", batch=1)), "resnet50")
    assert facts["batch"] == "fixed at 1 by the model"
    assert facts["warning"].startswith("The model's shape fixes the batch at 1: it is run so")


@pytest.mark.parametrize(("classes", "offset"), [(1001, "1"), (1000, "0")])
def test_the_offset_of_labels_is_stated_with_its_reason(
    tmp_path: Path, classes: int, offset: str
) -> None:
    path = resnet50_onnx(tmp_path / "model.onnx", classes=classes)
    facts = driven(inspect_model(path), "resnet50")
    assert facts["classes"] == str(classes)
    assert facts["label_offset"] == f"{offset}: the model has {classes} classes"


def test_layout_and_the_output_that_answers_are_stated(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    both = ["softmax_tensor:0", "ArgMax:0"]
    facts = driven(inspect_model(resnet50_onnx(path, layout="NHWC", outputs=both)), "resnet50")
    assert (facts["layout"], facts["answer"]) == ("NHWC", "ArgMax:0")
    facts = driven(inspect_model(resnet50_onnx(path, outputs=both[:1])), "resnet50")
    assert (facts["layout"], facts["answer"]) == ("NCHW", "softmax_tensor:0")


def test_each_adapter_says_why_it_can_not_drive_a_model(tmp_path: Path) -> None:
    bert = inspect_model(bert_onnx(tmp_path / "bert.onnx", tokens=384))
    assert driven(bert, "bert")["tokens"] == "384, fixed by the model"
    assert "input_ids int64 [?, 384]" in refused(bert, "resnet50")
    neither = inspect_model(relu_onnx(tmp_path / "relu.onnx"))
    assert "its inputs are: x float32 [?, 4]" in refused(neither, "resnet50")
    assert "its inputs are: x float32 [?, 4]" in refused(neither, "bert")


def test_a_quantised_model_must_be_asked_for_as_int8(tmp_path: Path) -> None:
    needs_onnxruntime()
    onnx = onnx_package()
    types, numpy_helper = onnx.TensorProto, onnx.numpy_helper
    import numpy as np

    scale = numpy_helper.from_array(np.float32(0.1), "scale")
    zero = numpy_helper.from_array(np.uint8(0), "zero")
    nodes = [
        onnx.helper.make_node("QuantizeLinear", ["x", "scale", "zero"], ["q"]),
        onnx.helper.make_node("DequantizeLinear", ["q", "scale", "zero"], ["y"]),
    ]
    values = [("x", types.FLOAT, ["N", 4])], [("y", types.FLOAT, ["N", 4])]
    path = write_onnx(tmp_path / "QUANTISED.ONNX", nodes, *values, [scale, zero])
    assert inspect_model(path).opened.runtime.precision == "int8"


def test_weights_that_old_files_list_as_inputs_are_none(tmp_path: Path) -> None:
    onnx = onnx_package()
    path = resnet50_onnx(tmp_path / "model.onnx")
    model = onnx.load(path)
    weights = onnx.helper.make_tensor_value_info("weights", onnx.TensorProto.FLOAT, [3, 1001])
    model.graph.input.append(weights)
    path.write_bytes(model.SerializeToString())
    (image,) = inspect_model(path, opening=False).declared.inputs or ()
    assert image.name == "input_tensor:0"


def test_weights_in_other_files_are_named_and_their_absence_is_an_error(tmp_path: Path) -> None:
    needs_onnxruntime()
    onnx = onnx_package()
    path = resnet50_onnx(tmp_path / "model.onnx")
    onnx.save(
        onnx.load(path), path, save_as_external_data=True, location="weights.bin", size_threshold=0
    )
    assert inspect_model(path).declared.external_files == ("weights.bin",)
    (tmp_path / "weights.bin").unlink()
    with pytest.raises(ModelError, match=r"can't use .*with all files that belong to it"):
        inspect_model(path)


def _key(number: int, size_bytes: int) -> bytes:
    """Key and length of a field of bytes."""
    length, varint = size_bytes, bytearray()
    while length > 0x7F:
        varint.append(length & 0x7F | 0x80)
        length >>= 7
    return bytes([number << 3 | 2, *varint, length])


def _big_model(path: Path) -> Path:
    """A model whose one weight takes BIG_BYTES, most of them a hole in the file."""
    weight = b"\x42\x01w" + _key(9, BIG_BYTES)
    initializer = _key(5, len(weight) + BIG_BYTES) + weight
    start = b"\x08\x08" + _key(8, 2) + b"\x10\x0d" + _key(7, len(initializer) + BIG_BYTES)
    with path.open("wb") as file:
        file.write(start + initializer)
        file.truncate(len(start) + len(initializer) + BIG_BYTES)
    return path


def test_a_big_file_is_not_read_into_memory(tmp_path: Path) -> None:
    path = _big_model(tmp_path / "big.onnx")
    inspect_model(relu_onnx(tmp_path / "first.onnx"), opening=False)
    tracemalloc.start()
    try:
        found = inspect_model(path, opening=False)
        peak_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found.identity.size_bytes > BIG_BYTES
    assert found.declared.opsets == {"ai.onnx": 13}
    assert peak_bytes < BIG_BYTES // 16


@pytest.mark.parametrize("checksum", ["md5", "sha256"])
def test_a_model_of_the_zoo_is_known_by_its_checksum(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, checksum: str
) -> None:
    path = relu_onnx(tmp_path / "renamed.onnx")
    digest = {"md5": md5, "sha256": sha256}[checksum](path.read_bytes()).hexdigest()
    entry = replace(
        zoo.model("bert-onnx"),
        md5=digest if checksum == "md5" else None,
        sha256=digest if checksum == "sha256" else None,
    )
    monkeypatch.setattr(zoo, "models", lambda: (zoo.model("resnet50-onnx"), entry))
    assert inspect_model(path, opening=False).identity.known == entry
    path.write_bytes(path.read_bytes() + b"\x08\x08")
    assert inspect_model(path, opening=False).identity.known is None


def test_another_backend_may_read_files_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = SimpleNamespace(
        inputs=[Tensor("images", "float32", (4, 3, 224, 224))],
        outputs=[Tensor("labels", "int32", (4,))],
        close=lambda: None,
    )
    asked: list[OpenRequest] = []

    def opened(request: OpenRequest) -> Any:
        asked.append(request)
        return session

    engine = SimpleNamespace(
        name="engine",
        devices=("gpu",),
        model_suffixes=(".engine",),
        availability=lambda: Availability("3.1"),
        open=opened,
    )
    for module in ("sut.inspection", "sut.inspection.opening"):
        monkeypatch.setattr(f"{module}.providers", lambda: {"engine": engine})
    path = tmp_path / "resnet50.engine"
    path.write_bytes(b"of the vendor's own making")
    found = inspect_model(path)
    assert [(request.model, request.device) for request in asked] == [(path, "gpu")]
    assert (found.form, found.opened.runtime.version) == (".engine file", "3.1")
    assert driven(found, "resnet50")["batch"] == "fixed at 4 by the model"
    assert inspect_model(path, opening=False).driving == ()
