"""One open session of ONNX Runtime, on the execution provider that was asked for or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from datasets.errors import BackendError
from sut.backend import Arrays, Tensor
from sut.backends.onnxruntime.failures import brief, opening_failed, runtime_errors
from sut.backends.onnxruntime.settings import CPU, Settings, not_the_device

_ERRORS_ONLY = 3
_NUMPY_NAMES = {"float": "float32", "double": "float64"}


class Session:
    """A :class:`sut.backend.Backend` over ``onnxruntime.InferenceSession``."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self._run = session.run
        self._failures = runtime_errors()
        self.device = _device(session)
        self.inputs = tuple(_tensor(node) for node in session.get_inputs())
        self.outputs = tuple(_tensor(node) for node in session.get_outputs())

    def predict(self, feeds: Arrays, outputs: Sequence[str]) -> list[NDArray[Any]]:
        """Outputs by name, in order, for a whole batch. Raises BackendError."""
        try:
            result: list[NDArray[Any]] = self._run(outputs, feeds)
        except self._failures as error:
            raise BackendError(f"ONNX Runtime failed on a batch: {brief(error)}.") from error
        return result

    def close(self) -> None:
        """Let go of the session; its memory is freed once no batch is running."""
        self._session = None
        self._run = _closed


def open_session(model: Path, settings: Settings) -> Session:
    """Raises DeviceError where another provider than the one asked for would be used, and
    ModelError or BackendError where there can be no session at all."""
    import onnxruntime

    try:
        session = onnxruntime.InferenceSession(
            str(model),
            _session_options(settings),
            providers=settings.chain,
            enable_fallback=0,
        )
    except runtime_errors() as error:
        raise opening_failed(error, model, settings) from error
    used = session.get_providers()[0]
    if used != settings.provider:
        raise not_the_device(settings, used, "check its driver and libraries")
    return Session(session)


def _session_options(settings: Settings) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = _ERRORS_ONLY
    options.intra_op_num_threads = settings.threads
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = settings.arena
    levels = onnxruntime.GraphOptimizationLevel
    options.graph_optimization_level = {
        "all": levels.ORT_ENABLE_ALL,
        "extended": levels.ORT_ENABLE_EXTENDED,
        "basic": levels.ORT_ENABLE_BASIC,
        "disable": levels.ORT_DISABLE_ALL,
    }[settings.optimization]
    options.add_session_config_entry("session.intra_op.allow_spinning", str(int(settings.spinning)))
    if not settings.cpu_fallback and settings.provider != CPU:
        options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
    return options


def _device(session: Any) -> str:
    """The first provider, with the number of its device where it has one."""
    provider: str = session.get_providers()[0]
    number = session.get_provider_options().get(provider, {}).get("device_id")
    return provider if number is None else f"{provider}:{number}"


def _tensor(node: Any) -> Tensor:
    element = node.type.removeprefix("tensor(").removesuffix(")")
    shape = tuple(size if isinstance(size, int) and size > 0 else None for size in node.shape)
    return Tensor(node.name, _NUMPY_NAMES.get(element, element), shape)


def _closed(*_: object) -> list[NDArray[Any]]:
    raise BackendError("The session is closed; open another.")
