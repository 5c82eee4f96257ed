"""The embedded ResNet-50: the same weights everywhere, the official interface, one answer from
both runtimes."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from datasets.embedded.digits import calibration_digits, scored_digits
from datasets.errors import ModelError
from sut.embedded import resnet50
from sut.embedded.resnet50_fit import CALIBRATION_IMAGES, Calibration, images, ridge
from sut.embedded.resnet50_graph import STEM, Layer, features, layers
from sut.embedded.resnet50_weights import Fitted, Resnet50Weights, assemble, raw_kernel

RECORD = json.loads(Path(resnet50.__file__).with_name("resnet50.json").read_text())
ONNX_SHA256 = "ee2c5da5c440b6f562828f5f6ff5192b8f66ff4ec5bf5e1879c3afa4a1130221"


@dataclass(frozen=True)
class Shape:
    channels: int
    side: int


class Counting:
    """Follows shapes through the network and counts multiplications."""

    def __init__(self) -> None:
        self.multiplications = 0

    def convolve(self, layer: Layer, value: Shape) -> Shape:
        assert value.channels == layer.inputs
        side = (value.side + 2 * layer.padding - layer.size) // layer.stride + 1
        self.multiplications += side**2 * layer.size**2 * layer.inputs * layer.outputs
        return Shape(layer.outputs, side)

    def rectify(self, value: Shape, name: str) -> Shape:
        return value

    def add(self, left: Shape, right: Shape, name: str) -> Shape:
        assert left == right
        return left

    def max_pool(self, value: Shape) -> Shape:
        return replace(value, side=(value.side + 1 - 3) // 2 + 1)

    def average(self, value: Shape) -> Shape:
        return replace(value, side=1)


@pytest.fixture(scope="module")
def weights() -> Resnet50Weights:
    return resnet50.weights()


@pytest.fixture(scope="module")
def onnx_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "resnet50.onnx"
    resnet50.write_onnx(path)
    return path


@dataclass(frozen=True)
class Scored:
    labels: NDArray[np.int64]
    probabilities: NDArray[np.float32]


@pytest.fixture(scope="module")
def scored(onnx_file: Path) -> Scored:
    """All 500 scored digits through ONNX Runtime."""
    session = onnx_session(onnx_file)
    cells = scored_digits().cells
    batches = [
        session.run(
            ["ArgMax:0", "softmax_tensor:0"], {"input_tensor:0": images(cells[at : at + 50])}
        )
        for at in range(0, len(cells), 50)
    ]
    labels, probabilities = (np.concatenate(part) for part in zip(*batches, strict=True))
    return Scored(labels, probabilities)


def onnx_session(path: Path) -> Any:
    onnxruntime = pytest.importorskip("onnxruntime")
    return onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])


def test_compute_is_that_of_resnet50_v1_5() -> None:
    """4,089,184,256 multiplications, of which 2,048,000 in a head of 1,000 classes."""
    counting = Counting()
    assert features(counting, Shape(3, 224)) == Shape(2048, 1)
    assert counting.multiplications == 4_089_184_256 - 2_048_000


def test_stride_is_in_the_3x3_convolution() -> None:
    halving = [layer for layer in layers() if layer.stride == 2]
    assert Counter(layer.size for layer in halving) == {7: 1, 3: 3, 1: 3}
    assert all(layer.name.endswith("/project") for layer in halving if layer.size == 1)


def test_size_is_that_of_resnet50_folded(weights: Resnet50Weights) -> None:
    """25,557,032 published, less one of two numbers a normalised channel, plus class 1,001."""
    assert len(weights.convolutions) == 53
    convolutions = weights.convolutions.values()
    count = sum(each.kernel.size + each.bias.size for each in convolutions)
    count += weights.head.size + weights.head_bias.size
    assert count == 25_557_032 - 26_560 + 2_049


def test_weights_are_the_recorded_ones() -> None:
    assert assemble(Fitted.shipped()).sha256() == resnet50.weights_sha256()


def test_one_changed_bit_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shipped = Fitted.shipped()
    bias = shipped.bias.copy()
    bias[0] = np.nextafter(bias[0], np.float32(np.inf))
    monkeypatch.setattr(Fitted, "shipped", lambda: replace(shipped, bias=bias))
    with pytest.raises(ModelError, match="reinstall loadproof"):
        resnet50.write_onnx(tmp_path / "resnet50.onnx")
    assert not list(tmp_path.iterdir())


def test_random_kernels_are_bell_shaped_whole_numbers() -> None:
    kernel = raw_kernel(list(layers())[-1])
    assert kernel.dtype == np.float32
    assert (kernel == np.round(kernel)).all()
    deviation = np.sqrt(4 * (2.0**32 - 1) / 12)
    assert abs(kernel.mean()) < 0.01 * deviation
    assert kernel.std() == pytest.approx(deviation, rel=0.01)
    assert np.mean(np.abs(kernel) < deviation) == pytest.approx(0.67, abs=0.01)


def test_layers_have_kernels_of_their_own() -> None:
    firsts = {raw_kernel(layer).ravel()[:4].tobytes() for layer in layers()}
    assert len(firsts) == 53


@given(st.integers(0, 2**32 - 1), st.floats(0, 100))
def test_only_digits_ever_win(seed: int, spread: float) -> None:
    shipped = Fitted.shipped()
    values = np.random.default_rng(seed).exponential(spread, (8, 2048)).astype(np.float32)
    logits = values @ shipped.head + shipped.head_bias
    assert logits.max(axis=1).min() > -16


def test_onnx_file_is_the_same_everywhere(onnx_file: Path) -> None:
    assert hashlib.sha256(onnx_file.read_bytes()).hexdigest() == ONNX_SHA256


def test_onnx_file_passes_the_checker_with_the_official_interface(onnx_file: Path) -> None:
    onnx = pytest.importorskip("onnx")
    model = onnx.load(str(onnx_file))
    onnx.checker.check_model(model, full_check=True)
    assert [(each.domain, each.version) for each in model.opset_import] == [("", 11)]
    session = onnx_session(onnx_file)
    tensors = session.get_inputs() + session.get_outputs()
    assert [(each.name, each.type, each.shape) for each in tensors] == [
        ("input_tensor:0", "tensor(float)", ["N", 3, 224, 224]),
        ("ArgMax:0", "tensor(int64)", ["N"]),
        ("softmax_tensor:0", "tensor(float)", ["N", 1001]),
    ]


def test_reference_score_is_what_onnx_runtime_gets(scored: Scored) -> None:
    correct = int((scored.labels - 1 == scored_digits().labels).sum())
    assert abs(correct - RECORD["correct"]) <= 1
    assert RECORD["total"] == len(scored.labels)
    assert RECORD["top1_percent"] == pytest.approx(100 * RECORD["correct"] / RECORD["total"])


def test_label_is_the_likeliest_class(scored: Scored) -> None:
    assert (scored.probabilities.argmax(axis=1) == scored.labels).all()
    np.testing.assert_allclose(scored.probabilities.sum(axis=1), 1, rtol=1e-5)
    assert set(scored.labels) <= set(range(1, 11))


def test_tensorflow_agrees_on_the_hardest_images(scored: Scored, tmp_path: Path) -> None:
    ranked = np.sort(scored.probabilities, axis=1)
    hardest = np.argsort(ranked[:, -1] / ranked[:, -2])[:60]
    labels, probabilities = run_frozen_graph(tmp_path, images(scored_digits().cells[hardest]))
    assert (labels != scored.labels[hardest]).sum() <= 1
    np.testing.assert_allclose(probabilities, scored.probabilities[hardest], atol=1e-3)


def run_frozen_graph(folder: Path, image: NDArray[np.float32]) -> list[NDArray[Any]]:
    tensorflow = pytest.importorskip("tensorflow")
    path = folder / "resnet50.pb"
    resnet50.write_frozen_graph(path)
    definition = tensorflow.compat.v1.GraphDef.FromString(path.read_bytes())
    graph = tensorflow.Graph()
    with graph.as_default():
        tensorflow.import_graph_def(definition, name="")
    assert graph.get_tensor_by_name("input_tensor:0").shape.as_list() == [None, 224, 224, 3]
    feeds = {"input_tensor:0": image.transpose(0, 2, 3, 1)}
    with tensorflow.compat.v1.Session(graph=graph) as session:
        results: list[NDArray[Any]] = session.run(["ArgMax:0", "softmax_tensor:0"], feeds)
    return results


def test_calibration_finds_the_shipped_numbers_again() -> None:
    cells = calibration_digits().cells[:: 1200 // CALIBRATION_IMAGES]
    calibration = Calibration()
    result = calibration.convolve(STEM, images(cells))
    np.testing.assert_allclose(result.mean(axis=(0, 2, 3)), 0, atol=1e-3)
    np.testing.assert_allclose(result.std(axis=(0, 2, 3)), 1, rtol=1e-3)
    scale, bias = calibration.measured[STEM.name]
    np.testing.assert_allclose(scale, Fitted.shipped().scale[: STEM.outputs], rtol=1e-3)
    np.testing.assert_allclose(bias, Fitted.shipped().bias[: STEM.outputs], rtol=1e-3)


def test_ridge_finds_labels_in_features_and_keeps_the_sum() -> None:
    generator = np.random.default_rng(7)
    labels = generator.integers(0, 10, 400).astype(np.uint8)
    centres = generator.normal(size=(10, 2048)).astype(np.float32)
    seen = centres[labels] + generator.normal(size=(400, 2048)).astype(np.float32)
    head, bias = ridge(seen, labels)
    logits = seen @ head + bias
    assert (logits.argmax(axis=1) == labels).mean() > 0.99
    np.testing.assert_allclose(logits.sum(axis=1), 16, rtol=1e-4)
