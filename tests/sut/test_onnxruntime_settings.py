"""How a request becomes execution providers and their options, on machines that are not here."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasets.errors import DeviceError, ModelError, UsageError
from sut.backend import OpenRequest
from sut.backends.onnxruntime.failures import opening_failed
from sut.backends.onnxruntime.settings import check_kind, check_offered, read_settings


def request(device: str, index: int = 0, **options: str) -> OpenRequest:
    return OpenRequest(None, device=device, index=index, options=options)


@pytest.mark.parametrize(
    ("asked", "chain"),
    [
        (request("cpu"), [("CPUExecutionProvider", {})]),
        (request("gpu", 3), [("CUDAExecutionProvider", {"device_id": "3"})]),
        (
            request("gpu", 1, provider="TensorRT", provider_options="trt_fp16_enable:1"),
            [
                ("TensorrtExecutionProvider", {"device_id": "1", "trt_fp16_enable": "1"}),
                ("CUDAExecutionProvider", {"device_id": "1"}),
            ],
        ),
        (
            request("cpu", provider="OpenVINO"),
            [("OpenVINOExecutionProvider", {"device_type": "CPU"})],
        ),
        (
            request("gpu", 2, provider="OpenVINO"),
            [("OpenVINOExecutionProvider", {"device_type": "GPU.2"})],
        ),
        (
            request("gpu", provider="AcmeExecutionProvider"),
            [("AcmeExecutionProvider", {"device_id": "0"})],
        ),
    ],
)
def test_each_provider_is_told_its_device(
    asked: OpenRequest, chain: list[tuple[str, dict[str, str]]]
) -> None:
    assert read_settings(asked).chain == chain


def test_what_a_build_offers_decides_before_a_model_is_read() -> None:
    settings = read_settings(request("gpu"))
    check_offered(settings, ["CUDAExecutionProvider", "CPUExecutionProvider"])
    with pytest.raises(DeviceError, match="offers only Azure, CPU"):
        check_offered(settings, ["AzureExecutionProvider", "CPUExecutionProvider"])


@pytest.mark.parametrize(
    ("device", "provider"),
    [
        ("cpu", "CUDA"),
        ("cpu", "ROCM"),
        ("cpu", "MIGraphX"),
        ("cpu", "DmlExecutionProvider"),
        ("gpu", "CPU"),
        ("gpu", "Dnnl"),
        ("gpu", "XNNPACK"),
    ],
)
def test_a_provider_of_the_other_kind_of_device_is_a_contradiction(
    device: str, provider: str
) -> None:
    settings = read_settings(request(device, provider=provider))
    with pytest.raises(DeviceError, match=f"the device {device} and the provider .* drives a"):
        check_kind(settings, device)


@pytest.mark.parametrize("device", ["cpu", "gpu"])
def test_a_provider_of_any_device_may_drive_either(device: str) -> None:
    for provider in ("OpenVINO", "AcmeExecutionProvider"):
        check_kind(read_settings(request(device, provider=provider)), device)


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        (request("gpu", 0, provider_options="device_id:3"), "device_id"),
        (request("cpu", provider="OpenVINO", provider_options="device_type:GPU"), "device_type"),
    ],
)
def test_an_option_can_not_choose_another_device_than_the_one_asked_for(
    asked: OpenRequest, name: str
) -> None:
    with pytest.raises(UsageError, match=f"provider_options sets {name}"):
        read_settings(asked)


def test_a_device_that_does_not_start_is_no_fault_of_the_model() -> None:
    settings = read_settings(request("gpu"))
    model = Path("model.onnx")
    cause = RuntimeError("CUDA failure 101: invalid device ordinal ; GPU=9")
    error = opening_failed(cause, model, settings)
    assert isinstance(error, DeviceError)
    assert "invalid device ordinal" in str(error)
    operator = RuntimeError("Could not find an implementation for NhwcMaxPool(1) node")
    assert isinstance(opening_failed(operator, model, settings), ModelError)
