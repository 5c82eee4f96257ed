"""Models of lower precision: what the file holds, what it says of itself, what can't be made."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.errors import ModelError, UsageError
from datasets.samples.library import SampleLibrary
from datasets.samples.simulated import prepare_arrays
from harness.running import chores
from sut.adapters import adapter_for
from sut.backend import OpenRequest
from sut.backends.onnxruntime import PROVIDER
from sut.backends.onnxruntime.quantised import check_precision, precision_of
from sut.inspection.onnx_file import made_facts
from sut.quantization.calibrating import BATCH, CalibrationReader
from sut.quantization.making import make_model
from sut.quantization.provenance import Calibration, Provenance
from sut.quantization.recipes import recipe
from tests.sut.models import onnx_package, relu_onnx
from tests.sut.quantizable import SIZE, convolutional_onnx, feed_forward_onnx

onnx_package()
pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed")

SAMPLES = BATCH + 2


def _provenance(precision: str, method: str = "a method") -> Provenance:
    calibration = Calibration("a-list", "1" * 64, SAMPLES)
    return Provenance(precision, method, "a-model", "0" * 64, calibration, {"onnx": "1.0"})


def _images() -> NDArray[np.float32]:
    """[SAMPLES, 3, 224, 224]: one channel above the other two, less the usual mean."""
    levels = np.full((SAMPLES, 3), -60, np.float32)
    levels[range(SAMPLES), np.arange(SAMPLES) % 3] = 100
    images = np.broadcast_to(levels[:, :, None, None], (SAMPLES, 3, SIZE, SIZE))
    return np.ascontiguousarray(images)


def _reader(model: Path, folder: Path) -> CalibrationReader:
    session = PROVIDER.open(OpenRequest(model))
    adapter = adapter_for("resnet50", session, {})
    session.close()
    return CalibrationReader(
        SampleLibrary(prepare_arrays(folder / "samples", {"image": _images()})), adapter
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("made")


@pytest.fixture(scope="module")
def int8(folder: Path) -> Path:
    source, made = convolutional_onnx(folder / "source.onnx"), folder / "int8.onnx"
    make = recipe("resnet50", "int8")
    make_model(source, made, make, _provenance("int8"), reader=_reader(source, folder))
    return made


def _nodes(model: Path) -> Any:
    return onnx_package().load(model).graph.node


def _labels(model: Path, precision: str) -> list[int]:
    session = PROVIDER.open(OpenRequest(model, precision=precision))
    (found,) = session.predict({"input_tensor:0": _images()}, ["ArgMax:0"])
    session.close()
    labels: list[int] = found.tolist()
    return labels


def test_activations_are_unsigned_and_weights_signed_with_a_scale_each_channel(int8: Path) -> None:
    onnx = onnx_package()
    graph = onnx.load(int8).graph
    constants = {c.name: onnx.numpy_helper.to_array(c) for c in graph.initializer}
    zero_points = {
        constants[node.input[2]].dtype.name
        for node in graph.node
        if node.op_type == "QuantizeLinear"
    }
    (kernel,) = (name for name in constants if name.startswith("kernel_quantized"))
    assert zero_points == {"uint8"}
    assert constants[kernel].dtype == np.int8
    assert constants["kernel_scale"].shape == (3,)


def test_the_head_stays_in_float32(int8: Path) -> None:
    (head,) = (node for node in _nodes(int8) if node.op_type in ("MatMul", "Gemm"))
    assert "weights" in head.input


def test_what_it_answers_is_what_its_source_answers(int8: Path) -> None:
    assert _labels(int8, "int8") == _labels(int8.with_name("source.onnx"), "fp32")


def test_it_says_what_it_was_made_from(int8: Path) -> None:
    facts = made_facts(int8)
    assert facts["made_from"] == f"a-model, SHA-256 {'0' * 64}"
    assert facts["calibration"] == f"a-list, {SAMPLES} samples, SHA-256 {'1' * 64}"
    assert facts["software"] == "onnx 1.0"
    assert facts["precision"] == "int8"
    assert facts["method"] == "a method"


def test_a_look_at_it_tells_the_plan_what_it_was_made_from(int8: Path) -> None:
    backend = {"name": "onnxruntime", "device": "cpu", "devices": [0], "options": {}}
    wanted = {"benchmark": "resnet50", "backend": {**backend, "precision": "int8"}}
    seen = chores.look({**wanted, "model": str(int8)}, lambda *_: None)
    assert seen["facts"]["made_from"].startswith("a-model, SHA-256")
    assert seen["facts"]["layout"] == "NCHW"


def test_a_file_that_we_did_not_make_says_nothing(int8: Path, tmp_path: Path) -> None:
    assert made_facts(int8.with_name("source.onnx")) == {}
    assert made_facts(None) == {}
    (tmp_path / "broken.onnx").write_bytes(b"no model at all")
    assert made_facts(tmp_path / "broken.onnx") == {}


def test_the_same_inputs_give_the_same_bytes(int8: Path, tmp_path: Path) -> None:
    source, again = int8.with_name("source.onnx"), tmp_path / "again.onnx"
    make = recipe("resnet50", "int8")
    make_model(source, again, make, _provenance("int8"), reader=_reader(source, tmp_path))
    assert again.read_bytes() == int8.read_bytes()


def test_weights_of_seven_bits_are_half_as_large(int8: Path, tmp_path: Path) -> None:
    onnx = onnx_package()
    source, made = int8.with_name("source.onnx"), tmp_path / "reduced.onnx"
    reader = _reader(source, tmp_path)
    make = recipe("resnet50", "int8")
    make_model(source, made, make, _provenance("int8"), reader=reader, reduce_range=True)
    (kernel,) = (c for c in onnx.load(made).graph.initializer if c.name == "kernel_quantized")
    assert np.abs(onnx.numpy_helper.to_array(kernel)).max() <= 64


def test_calibration_sees_every_sample_in_batches_of_one_size(int8: Path, tmp_path: Path) -> None:
    reader = _reader(int8.with_name("source.onnx"), tmp_path)
    assert len(reader) == 2
    seen = [reader.get_next(), reader.get_next()]
    assert reader.get_next() is None
    first, last = (feeds["input_tensor:0"] for feeds in seen if feeds)
    assert first.shape == last.shape == (BATCH, 3, SIZE, SIZE)
    assert (last[2:] == last[1]).all()


def test_products_behind_gelu_stay_in_float32(tmp_path: Path) -> None:
    source, made = feed_forward_onnx(tmp_path / "source.onnx"), tmp_path / "int8.onnx"
    make_model(source, made, recipe("bert", "int8"), _provenance("int8"))
    kinds = Counter(node.op_type for node in _nodes(made))
    assert kinds["MatMulInteger"] == 1
    (product,) = (node for node in _nodes(made) if node.op_type == "MatMul")
    assert "second" in product.input


def test_float16_keeps_its_inputs_and_outputs(folder: Path, int8: Path) -> None:
    made = folder / "half.onnx"
    make_model(int8.with_name("source.onnx"), made, recipe("resnet50", "fp16"), _provenance("fp16"))
    assert precision_of(made) == "fp16"
    assert _labels(made, "fp16") == _labels(int8.with_name("source.onnx"), "fp32")
    with pytest.raises(ModelError, match="keeps its weights in float16; ask for --precision fp16"):
        check_precision(made, "fp32")
    with pytest.raises(ModelError, match="keeps its weights in float32; ask for --precision fp32"):
        check_precision(int8.with_name("source.onnx"), "fp16")
    with pytest.raises(ModelError, match="is quantised"):
        check_precision(int8, "fp16")


def test_a_model_with_nothing_to_quantise_is_refused(tmp_path: Path) -> None:
    made = tmp_path / "made.onnx"
    with pytest.raises(ModelError, match="has nothing that could be made int8"):
        make_model(
            relu_onnx(tmp_path / "m.onnx"), made, recipe("bert", "int8"), _provenance("int8")
        )
    assert not made.exists()


def test_what_the_tools_refuse_is_one_sentence(tmp_path: Path) -> None:
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"no model at all")
    with pytest.raises(ModelError, match=r"tools can't make .*broken\.onnx int8"):
        make_model(broken, tmp_path / "m.onnx", recipe("bert", "int8"), _provenance("int8"))
    assert list(tmp_path.iterdir()) == [broken]


def test_a_precision_without_a_recipe_is_refused() -> None:
    with pytest.raises(UsageError, match="int4 models of bert can't be made; ask for int8 or fp16"):
        recipe("bert", "int4")
