"""What TensorFlow offers to loadproof. Importing this imports nothing heavy."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from datasets.errors import BackendError
from sut.backend import Availability, Backend, OpenRequest
from sut.backends import installed
from sut.backends.choices import check_request
from sut.backends.tensorflow.runtime import REMEDY, load_runtime

_DISTRIBUTIONS = ("tensorflow", "tensorflow-cpu", "tf-nightly", "tensorflow-rocm")
_OPTIONS = {"signature": "signature of a SavedModel (default: serving_default)"}


class TensorFlow:
    """A :class:`sut.backend.Provider`. bf16 is oneDNN's rewrite of the graph, on the CPU only."""

    name = "tensorflow"
    devices: tuple[str, ...] = ("cpu", "gpu")
    precisions: tuple[str, ...] = ("fp32", "bf16")
    options: Mapping[str, str] = MappingProxyType(_OPTIONS)
    model_suffixes: tuple[str, ...] = (".pb",)

    def availability(self) -> Availability:
        """Version and distribution, or what to install."""
        return installed.availability("tensorflow", _DISTRIBUTIONS, REMEDY)

    def open(self, request: OpenRequest) -> Backend:
        """A session. Raises DeviceError before the model is looked at, then ModelError."""
        from sut.backends.tensorflow.opening import open_session

        check_request(self, request)
        if request.precision == "bf16" and request.device != "cpu":
            raise BackendError(
                "bf16 in TensorFlow is oneDNN's rewrite and works on the CPU only; ask for "
                "--precision fp32 or --device cpu."
            )
        return open_session(load_runtime(), request)


PROVIDER = TensorFlow()
