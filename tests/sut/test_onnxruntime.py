"""ONNX Runtime: whole batches in and out, the device asked for or none, and models named for
what they are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.errors import BackendError, DeviceError, LoadproofError, ModelError, UsageError
from sut.backend import OpenRequest, Tensor, provider
from tests.sut.models import onnx_package, relu_onnx, resnet50_onnx, write_onnx

pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed")
PROVIDER = provider("onnxruntime")
ROWS = np.array([[-1, 2, -3, 4], [5, -6, 7, -8]], np.float32)


def refusal(request: OpenRequest) -> LoadproofError:
    """What opening a session is refused with."""
    with pytest.raises(LoadproofError) as caught:
        PROVIDER.open(request)
    return caught.value


def without_gpu() -> bool:
    import onnxruntime

    return "CUDAExecutionProvider" not in onnxruntime.get_available_providers()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"provider": "cpu"},
        {"provider": "CPUExecutionProvider", "optimization": "disable"},
        {"arena": "off", "spinning": "off", "optimization": "basic", "cpu_fallback": "forbid"},
    ],
)
def test_a_batch_goes_through_the_model(tmp_path: Path, options: dict[str, str]) -> None:
    backend = PROVIDER.open(OpenRequest(relu_onnx(tmp_path / "m.onnx"), options=options))
    assert backend.device == "CPUExecutionProvider"
    assert list(backend.inputs) == [Tensor("x", "float32", (None, 4))]
    assert list(backend.outputs) == [Tensor("y", "float32", (None, 4))]
    (relu,) = backend.predict({"x": ROWS}, ("y",))
    np.testing.assert_array_equal(relu, np.maximum(ROWS, 0))
    backend.close()


def test_outputs_come_in_the_order_asked_for(tmp_path: Path) -> None:
    backend = PROVIDER.open(OpenRequest(resnet50_onnx(tmp_path / "m.onnx")))
    feeds = {"input_tensor:0": np.ones((2, 3, 224, 224), np.float32)}
    scores, labels = backend.predict(feeds, ["softmax_tensor:0", "ArgMax:0"])
    assert (scores.shape, labels.shape, labels.dtype.name) == ((2, 1001), (2,), "int64")


@pytest.mark.parametrize(
    "feeds",
    [
        {"x": ROWS[:, :3]},
        {"x": ROWS.astype(np.float64)},
        {"z": ROWS},
    ],
)
def test_a_batch_that_fails_raises(tmp_path: Path, feeds: dict[str, np.ndarray]) -> None:
    backend = PROVIDER.open(OpenRequest(relu_onnx(tmp_path / "m.onnx")))
    with pytest.raises(BackendError, match="failed on a batch"):
        backend.predict(feeds, ["y"])


def test_a_closed_session_says_so(tmp_path: Path) -> None:
    backend = PROVIDER.open(OpenRequest(relu_onnx(tmp_path / "m.onnx")))
    backend.close()
    with pytest.raises(BackendError, match="closed"):
        backend.predict({"x": ROWS}, ["y"])


@pytest.mark.skipif(without_gpu() is False, reason="this ONNX Runtime has CUDA")
@pytest.mark.parametrize(
    ("device", "options", "asked"),
    [
        ("gpu", {}, "CUDA"),
        ("cpu", {"provider": "CUDA"}, "CUDA"),
        ("gpu", {"provider": "tensorrt"}, "Tensorrt"),
        ("cpu", {"provider": "MadeUpExecutionProvider"}, "MadeUp"),
    ],
)
def test_a_device_that_would_not_be_used_is_refused_first(
    device: str, options: dict[str, str], asked: str
) -> None:
    error = refusal(OpenRequest(Path("no such model"), device=device, options=options))
    assert isinstance(error, DeviceError)
    assert f"Asked for {asked}, the session would use CPU" in str(error)
    assert "extra gpu" in str(error)


@pytest.mark.skipif(without_gpu() is False, reason="this ONNX Runtime has CUDA")
def test_a_session_that_fell_back_to_the_cpu_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import onnxruntime

    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: ["CUDAExecutionProvider"])
    with pytest.warns(UserWarning, match="not in available provider names"):
        error = refusal(OpenRequest(relu_onnx(tmp_path / "m.onnx"), device="gpu"))
    assert isinstance(error, DeviceError)
    assert "Asked for CUDA, the session would use CPU; check its driver" in str(error)


def test_the_cpu_provider_on_a_gpu_is_a_contradiction(tmp_path: Path) -> None:
    model = relu_onnx(tmp_path / "m.onnx")
    error = refusal(OpenRequest(model, device="gpu", options={"provider": "CPU"}))
    assert isinstance(error, DeviceError)
    assert "drives a cpu only" in str(error)


@pytest.mark.parametrize(
    ("operator", "domain", "named"),
    [("Frobnicate", "", "Frobnicate"), ("Fuse", "acme", "acme:Fuse")],
)
def test_an_unknown_operator_is_named(
    tmp_path: Path, operator: str, domain: str, named: str
) -> None:
    error = refusal(OpenRequest(relu_onnx(tmp_path / "m.onnx", operator, domain)))
    assert isinstance(error, ModelError)
    assert f"the operator {named}," in str(error)


def test_well_formed_bytes_that_are_no_onnx_model_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(b"\x08\x07")
    error = refusal(OpenRequest(path))
    assert isinstance(error, ModelError)
    assert str(path) in str(error)


def test_weights_in_an_absent_file_are_the_models_fault(tmp_path: Path) -> None:
    onnx = onnx_package()
    weight = onnx.numpy_helper.from_array(np.ones((4, 4), np.float32), "w")
    onnx.external_data_helper.set_external_data(weight, "m.weights")
    weight.ClearField("raw_data")
    value = (onnx.TensorProto.FLOAT, ["N", 4])
    path = write_onnx(
        tmp_path / "m.onnx",
        [onnx.helper.make_node("MatMul", ["x", "w"], ["y"])],
        [("x", *value)],
        [("y", *value)],
        [weight],
    )
    error = refusal(OpenRequest(path))
    assert isinstance(error, ModelError)
    assert "m.weights" in str(error)


def test_precision_is_checked_against_the_model(tmp_path: Path) -> None:
    onnx = onnx_package()
    plain = relu_onnx(tmp_path / "plain.onnx")
    quantised = write_onnx(
        tmp_path / "int8.onnx",
        [onnx.helper.make_node("DynamicQuantizeLinear", ["x"], ["y", "scale", "zero"])],
        [("x", onnx.TensorProto.FLOAT, ["N", 4])],
        [("y", onnx.TensorProto.UINT8, ["N", 4])],
    )
    assert "no quantised operator" in str(refusal(OpenRequest(plain, precision="int8")))
    assert "DynamicQuantizeLinear" in str(refusal(OpenRequest(quantised)))
    (output,) = PROVIDER.open(OpenRequest(quantised, precision="int8")).outputs
    assert output == Tensor("y", "uint8", (None, 4))


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        (OpenRequest(None, options={"optimisation": "all"}), "no option 'optimisation'"),
        (OpenRequest(None, options={"optimization": "most"}), "optimization=most is not one of"),
        (OpenRequest(None, options={"provider": "cuba"}), "no execution provider called 'cuba'"),
        (OpenRequest(None, options={"provider_options": "a"}), "KEY:VALUE"),
        (OpenRequest(None, precision="bf16"), "no precision 'bf16'; it has: fp32, int8"),
        (OpenRequest(None, device="tpu"), "no kind of device 'tpu'; it has: cpu, gpu"),
    ],
)
def test_what_is_asked_for_must_exist(request_: OpenRequest, says: str) -> None:
    error = refusal(request_)
    assert isinstance(error, UsageError)
    assert says in str(error)


def test_it_is_available_with_its_version() -> None:
    import onnxruntime

    assert onnxruntime.__version__ in (PROVIDER.availability().version or "")
