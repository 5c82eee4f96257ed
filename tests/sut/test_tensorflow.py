"""TensorFlow: frozen graphs and SavedModels behind the same seam, in the precision asked for."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest

from datasets.errors import BackendError, DeviceError, LoadproofError, ModelError, UsageError
from sut.adapters import adapter_for
from sut.backend import OpenRequest, Tensor, provider
from tests.sut.models import CLASS_OF_CHANNEL, bert_frozen, convolution_frozen, resnet50_frozen
from tests.sut.samples import expected_logits, features, images

PROVIDER = provider("tensorflow")
pytestmark = pytest.mark.skipif(
    PROVIDER.availability().version is None, reason="TensorFlow is not installed"
)


@pytest.fixture(scope="module", autouse=True)
def tensorflow() -> Iterator[Any]:
    """TensorFlow, imported as the backend does it, but for warnings that are its own affair."""
    from sut.backends.tensorflow.runtime import load_runtime

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield load_runtime()


@pytest.fixture
def request_for(tmp_path: Path) -> Any:
    return lambda write, **asked: OpenRequest(write(tmp_path / "model.pb"), **asked)


def refusal(request: OpenRequest) -> LoadproofError:
    """What opening a session is refused with."""
    with pytest.raises(LoadproofError) as caught:
        PROVIDER.open(request)
    return caught.value


def test_the_official_resnet50_shape_is_driven(request_for: Any) -> None:
    backend = PROVIDER.open(request_for(resnet50_frozen, index=1))
    assert backend.device == "CPU:0"
    assert list(backend.inputs) == [Tensor("input_tensor:0", "float32", (None, 224, 224, 3))]
    adapter = adapter_for("resnet50", backend, {})
    assert (adapter.needs.layout, adapter.outputs) == ("NHWC", ("ArgMax:0",))
    samples = images((1, 2, 0), "NHWC")
    answers = adapter.answers(backend.predict(adapter.feeds(samples), adapter.outputs), samples)
    assert answers.data.tolist() == [CLASS_OF_CHANNEL[c] - 1 for c in (1, 2, 0)]
    backend.close()


def test_the_official_bert_shape_is_driven(request_for: Any) -> None:
    backend = PROVIDER.open(request_for(bert_frozen))
    adapter = adapter_for("bert", backend, {})
    assert adapter.needs.dtype == "int32"
    samples = features((300, 7), "int32")
    answers = adapter.answers(backend.predict(adapter.feeds(samples), adapter.outputs), samples)
    for row, data in enumerate(answers.texts()):
        assert data == expected_logits(samples, row).tobytes()


def test_outputs_are_found_with_and_without_their_number(request_for: Any) -> None:
    backend = PROVIDER.open(request_for(resnet50_frozen))
    for name in ("input_tensor:0", "input_tensor"):
        label, again = backend.predict(
            {name: images((2,), "NHWC")["image"]}, ["ArgMax", "ArgMax:0"]
        )
        assert label.tolist() == again.tolist() == [CLASS_OF_CHANNEL[2]]


def test_sessions_side_by_side_answer_for_themselves(request_for: Any) -> None:
    request = request_for(convolution_frozen)
    random = np.random.default_rng(3)
    batches = [random.random((4, 16, 16, 8), np.float32) for _ in range(2)]
    alone = [PROVIDER.open(request).predict({"x:0": batch}, ["y:0"])[0] for batch in batches]
    backends = [PROVIDER.open(request) for _ in batches]
    together: list[Any] = [None, None]

    def run(which: int) -> None:
        (together[which],) = backends[which].predict({"x:0": batches[which]}, ["y:0"])

    threads = [Thread(target=run, args=(which,)) for which in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    np.testing.assert_allclose(together, alone, rtol=1e-6)


def test_bfloat16_computes_in_bfloat16_or_is_refused(request_for: Any) -> None:
    request = request_for(convolution_frozen, precision="bf16")
    flags = Path("/proc/cpuinfo").read_text(encoding="ascii") if sys.platform == "linux" else ""
    if "avx512" not in flags:
        assert "left the whole model in float32" in str(refusal(request))
        return
    batch = np.random.default_rng(5).random((2, 16, 16, 8), np.float32)
    exact, rounded = (
        PROVIDER.open(each).predict({"x:0": batch}, ["y:0"])[0]
        for each in (OpenRequest(request.model), request)
    )
    error = np.abs(exact - rounded).max() / np.abs(exact).max()
    assert 1e-5 < error < 0.02


def test_bfloat16_on_a_model_that_has_nothing_to_compute_in_it_is_refused(
    request_for: Any,
) -> None:
    error = refusal(request_for(bert_frozen, precision="bf16"))
    assert isinstance(error, BackendError)
    assert "left the whole model in float32" in str(error)


def test_a_saved_model_is_driven_by_its_signature(tensorflow: Any, tmp_path: Path) -> None:
    class Doubler(tensorflow.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            self.weights = tensorflow.Variable(2 * np.eye(3, dtype=np.float32))

        @tensorflow.function(  # type: ignore[untyped-decorator]
            input_signature=[tensorflow.TensorSpec([None, 3], tensorflow.float32, "rows")]
        )
        def twice(self, rows: Any) -> dict[str, Any]:
            return {"doubled": tensorflow.matmul(rows, self.weights)}

    module = Doubler()
    tensorflow.saved_model.save(module, tmp_path / "saved", {"serving_default": module.twice})
    for model in (tmp_path / "saved", tmp_path / "saved" / "saved_model.pb"):
        backend = PROVIDER.open(OpenRequest(model))
        assert list(backend.inputs) == [Tensor("rows", "float32", (None, 3))]
        assert list(backend.outputs) == [Tensor("doubled", "float32", (None, 3))]
        (doubled,) = backend.predict({"rows": np.ones((2, 3), np.float32)}, ["doubled"])
        assert doubled.tolist() == [[2, 2, 2], [2, 2, 2]]
    error = refusal(OpenRequest(tmp_path / "saved", options={"signature": "predict"}))
    assert isinstance(error, ModelError)
    assert "serving_default" in str(error)


@pytest.mark.parametrize(
    ("feeds", "outputs"),
    [
        ({"x:0": np.zeros((1, 3), np.float32)}, ["y:0"]),
        ({}, ["y:0"]),
        ({"x:0": np.zeros((1, 16, 16, 8), np.float32)}, ["z:0"]),
    ],
)
def test_a_batch_that_fails_raises(request_for: Any, feeds: Any, outputs: list[str]) -> None:
    backend = PROVIDER.open(request_for(convolution_frozen))
    with pytest.raises(BackendError, match="failed on a batch"):
        backend.predict(feeds, outputs)


def test_a_gpu_that_is_not_there_is_refused_before_the_model_is_read(tensorflow: Any) -> None:
    if tensorflow.config.list_physical_devices("GPU"):
        pytest.skip("this machine has a GPU")
    error = refusal(OpenRequest(Path("no such model"), device="gpu", index=1))
    assert isinstance(error, DeviceError)
    assert "Asked for gpu 1, the session would use CPU" in str(error)


def test_models_are_named_for_what_they_are(tensorflow: Any, tmp_path: Path) -> None:
    broken = tmp_path / "model.pb"
    unknown = tensorflow.compat.v1.GraphDef()
    unknown.node.add(name="x", op="Frobnicate")
    constant = tensorflow.Graph()
    with constant.as_default():
        tensorflow.identity(1.0)
    for content, says in [
        (b"version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer"),
        (convolution_frozen(broken).read_bytes()[:-9], "cut short"),
        (unknown.SerializeToString(), "the operator Frobnicate,"),
        (b"\x0a\x03\x0a\x09a", "as a model"),
        (constant.as_graph_def().SerializeToString(), "0 inputs"),
    ]:
        broken.write_bytes(content)
        error = refusal(OpenRequest(broken))
        assert isinstance(error, ModelError)
        assert says in str(error)
    assert "no SavedModel" in str(refusal(OpenRequest(tmp_path)))


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        (OpenRequest(None, options={"signatures": "a"}), "no option 'signatures'"),
        (OpenRequest(None, precision="int8"), "no precision 'int8'; it has: fp32, bf16"),
        (OpenRequest(None, device="gpu", precision="bf16"), "on the CPU only"),
    ],
)
def test_what_is_asked_for_must_exist(request_: OpenRequest, says: str) -> None:
    error = refusal(request_)
    assert isinstance(error, UsageError | BackendError)
    assert says in str(error)
