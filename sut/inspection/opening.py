"""Opens a model with the runtime that reads it, as a run would, to hear what that runtime says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from datasets.errors import BackendError
from sut.backend import OpenRequest, Provider, Tensor, providers
from sut.backends.onnxruntime.quantised import precision_of
from sut.inspection.declared import Declared


@dataclass(frozen=True)
class Runtime:
    """The backend that reads a model."""

    backend: str | None
    """None where no backend that is known here reads such files."""
    version: str | None
    """None where it is not installed."""
    precision: str | None
    """What to ask it for; None where the model was not opened."""
    reason: str = ""
    """Why the model was not opened; empty where it was."""


@dataclass(frozen=True)
class Opened:
    """What the runtime said."""

    runtime: Runtime
    tensors: tuple[tuple[Tensor, ...], tuple[Tensor, ...]] | None = None
    """Inputs and outputs; None where the model was not opened."""

    def over(self, declared: Declared) -> Declared:
        """``declared`` with the inputs and outputs of the runtime, where there are any."""
        if self.tensors is None:
            return declared
        inputs, outputs = self.tensors
        return replace(declared, inputs=inputs, outputs=outputs)


def open_model(path: Path, suffix: str, *, opening: bool) -> Opened:
    """Open the model on the CPU and close it; ModelError where the runtime refuses it."""
    readers = list(_readers(suffix))
    if not readers:
        return Opened(Runtime(None, None, None, f"No backend known here reads {suffix} files."))
    reader = next((r for r in readers if r.availability().version), readers[0])
    seen = reader.availability()
    if seen.version is None:
        return Opened(Runtime(reader.name, None, None, seen.reason))
    if not opening:
        return Opened(Runtime(reader.name, seen.version, None, "Opening was not asked for."))
    return _opened(reader, seen.version, path, _precision(path, suffix))


def _readers(suffix: str) -> Iterator[Provider]:
    for backend in providers().values():
        if suffix in backend.model_suffixes:
            yield backend


def _opened(reader: Provider, version: str, path: Path, precision: str) -> Opened:
    device = "cpu" if "cpu" in reader.devices else reader.devices[0]
    try:
        session = reader.open(OpenRequest(path, device=device, precision=precision))
    except BackendError as error:
        return Opened(Runtime(reader.name, version, None, str(error)))
    try:
        tensors = (tuple(session.inputs), tuple(session.outputs))
    finally:
        session.close()
    return Opened(Runtime(reader.name, version, precision), tensors)


def _precision(path: Path, suffix: str) -> str:
    """The precision that a run must ask for."""
    return precision_of(path) if suffix == ".onnx" else "fp32"
