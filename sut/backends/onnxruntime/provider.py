"""What ONNX Runtime offers to loadproof. Importing this imports nothing heavy."""

from __future__ import annotations

from typing import Any

from datasets.errors import BackendError
from sut.backend import Availability, Backend, OpenRequest
from sut.backends import installed
from sut.backends.choices import check_request
from sut.backends.onnxruntime.quantised import check_precision
from sut.backends.onnxruntime.session import open_session
from sut.backends.onnxruntime.settings import OPTIONS, check_kind, check_offered, read_settings
from sut.model_file import check_model_file

_REMEDY = "install loadproof's extra cpu, or its extra gpu where there is a GPU"
_DISTRIBUTIONS = (
    "onnxruntime-gpu",
    "onnxruntime",
    "onnxruntime-openvino",
    "onnxruntime-rocm",
    "onnxruntime-directml",
)


class OnnxRuntime:
    """A :class:`sut.backend.Provider`. The precision is the model file's own, and is checked."""

    name = "onnxruntime"
    devices: tuple[str, ...] = ("cpu", "gpu")
    precisions: tuple[str, ...] = ("fp32", "int8", "fp16")
    options = OPTIONS
    model_suffixes: tuple[str, ...] = (".onnx",)

    def availability(self) -> Availability:
        """Version and distribution, or what to install."""
        return installed.availability("onnxruntime", _DISTRIBUTIONS, _REMEDY)

    def open(self, request: OpenRequest) -> Backend:
        """A session. Raises DeviceError before the model is looked at, then ModelError."""
        check_request(self, request)
        settings = read_settings(request)
        runtime = _runtime()
        check_offered(settings, runtime.get_available_providers())
        check_kind(settings, request.device)
        model = check_model_file(request.model, ".onnx")
        check_precision(model, request.precision)
        return open_session(model, settings)


def _runtime() -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        raise BackendError(f"ONNX Runtime can't be imported ({error}); {_REMEDY}.") from error
    return onnxruntime


PROVIDER = OnnxRuntime()
