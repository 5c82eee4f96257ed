"""One open TensorFlow session, with threads of its own, on the device asked for or not at all.

A session beats a concrete function here: functions share the threads of the whole process.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from numpy.typing import NDArray

from datasets.errors import BackendError
from sut.backend import Arrays, Tensor
from sut.backends.tensorflow.graphs import Endpoints
from sut.backends.tensorflow.runtime import brief

Call = Callable[..., list[NDArray[Any]]]


class Session:
    """A :class:`sut.backend.Backend` over ``tf.compat.v1.Session``."""

    def __init__(self, session: Any, endpoints: Endpoints, device: str, failures: Any) -> None:
        self._session = session
        self._endpoints = endpoints
        self._failures = failures
        self._calls: dict[tuple[tuple[str, ...], tuple[str, ...]], Call] = {}
        self.device = device
        self.inputs = tuple(_tensor(*item) for item in endpoints.inputs.items())
        self.outputs = tuple(_tensor(*item) for item in endpoints.outputs.items())

    def predict(self, feeds: Arrays, outputs: Sequence[str]) -> list[NDArray[Any]]:
        """Outputs by name, in order, for a whole batch; ``ArgMax`` and ``ArgMax:0`` are the same.

        Any tensor of the graph may be asked for. Raises BackendError.
        """
        key = (tuple(feeds), tuple(outputs))
        try:
            call = self._calls.get(key) or self._prepare(*key)
            return call(*feeds.values())
        except self._failures as error:
            raise BackendError(f"TensorFlow failed on a batch: {brief(error)}.") from error

    def close(self) -> None:
        """Free the session and its graph."""
        self._calls.clear()
        self._session.close()

    def _prepare(self, feeds: tuple[str, ...], outputs: tuple[str, ...]) -> Call:
        tensors = [self._find(name, self._endpoints.outputs) for name in outputs]
        fed = [self._find(name, self._endpoints.inputs) for name in feeds]
        call: Call = self._session.make_callable(tensors, fed)
        self._calls[feeds, outputs] = call
        return call

    def _find(self, name: str, among: Any) -> Any:
        if name in among:
            return among[name]
        full = name if ":" in name else f"{name}:0"
        return self._session.graph.get_tensor_by_name(full)


def _tensor(name: str, tensor: Any) -> Tensor:
    known = tensor.shape.rank is not None
    return Tensor(name, tensor.dtype.name, tuple(tensor.shape.as_list()) if known else (None,))
