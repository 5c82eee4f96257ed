"""Brings a model file into a graph: its inputs and outputs by the names that people use.

A frozen graph declares neither; its inputs are its placeholders and its outputs the tensors that
nothing in it consumes. A SavedModel declares both in a signature.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from datasets.errors import LoadproofError, ModelError
from sut.backends.tensorflow.runtime import brief
from sut.model_file import check_model_file

_UNKNOWN_OPERATOR = re.compile(r"Op type not registered '([^']+)'")
_SILENT_OPERATORS = frozenset(("Placeholder", "NoOp", "Const", "Assert", "Print"))
_SAVED_MODEL = "saved_model.pb"


@dataclass(frozen=True)
class Endpoints:
    """Tensors of a loaded graph, by name."""

    inputs: Mapping[str, Any]
    outputs: Mapping[str, Any]


Loader = Callable[[Any, Any], Endpoints]
"""Loads a model into (session's default graph, session) and says where to feed and fetch."""


def loader(tensorflow: Any, model: Path | None, signature: str) -> Loader:
    """How to load ``model``: a frozen .pb file, or a SavedModel folder (or the file in it)."""
    if model is not None and model.name == _SAVED_MODEL:
        model = model.parent
    if model is None or not model.is_dir():
        frozen = check_model_file(model, ".pb")
        return lambda graph, _: _load_frozen(tensorflow, frozen, graph)
    folder = model
    if not (folder / _SAVED_MODEL).is_file():
        raise ModelError(
            f"The folder {folder} is no SavedModel: it has no {_SAVED_MODEL}; name a SavedModel "
            "folder or a frozen .pb file."
        )
    check_model_file(folder / _SAVED_MODEL, ".pb")
    return lambda graph, session: _load_saved(tensorflow, folder, signature, graph, session)


def _load_frozen(tensorflow: Any, path: Path, graph: Any) -> Endpoints:
    from google.protobuf.message import DecodeError  # type: ignore[import-untyped]

    try:
        definition = tensorflow.compat.v1.GraphDef.FromString(path.read_bytes())
        tensorflow.import_graph_def(definition, name="")
    except (DecodeError, ValueError, tensorflow.errors.OpError) as error:
        raise loading_failed(path, error) from error
    inputs = [op.outputs[0] for op in graph.get_operations() if op.type == "Placeholder"]
    outputs = [tensor for op in graph.get_operations() for tensor in _results(op)]
    if not inputs or not outputs:
        raise ModelError(
            f"{path} has {len(inputs)} inputs and {len(outputs)} outputs, so it is no frozen "
            "graph that can be run; freeze the model again, or name a SavedModel folder."
        )
    return Endpoints({t.name: t for t in inputs}, {t.name: t for t in outputs})


def _results(operation: Any) -> list[Any]:
    """What an operation hands out of the graph; nothing where another one consumes any of it."""
    if operation.type in _SILENT_OPERATORS:
        return []
    if any(tensor.consumers() for tensor in operation.outputs):
        return []
    return list(operation.outputs)


def _load_saved(
    tensorflow: Any, folder: Path, signature: str, graph: Any, session: Any
) -> Endpoints:
    try:
        loaded = tensorflow.compat.v1.saved_model.load(session, ["serve"], str(folder))
    except (RuntimeError, ValueError, OSError, tensorflow.errors.OpError) as error:
        raise loading_failed(folder, error) from error
    if signature not in loaded.signature_def:
        known = ", ".join(sorted(loaded.signature_def)) or "none"
        raise ModelError(
            f"The SavedModel {folder} has no signature {signature!r}; it has: {known}; choose "
            "one with the option signature."
        )
    chosen = loaded.signature_def[signature]

    def tensors(declared: Mapping[str, Any]) -> dict[str, Any]:
        return {key: graph.get_tensor_by_name(info.name) for key, info in declared.items()}

    return Endpoints(tensors(chosen.inputs), tensors(chosen.outputs))


def loading_failed(path: Path, error: Exception) -> LoadproofError:
    """Why a model could not be brought into a graph."""
    operator = _UNKNOWN_OPERATOR.search(str(error))
    if operator:
        return ModelError(
            f"{path} uses the operator {operator[1]}, which this TensorFlow does not know; "
            "install a newer one or export the model with standard operators."
        )
    return ModelError(
        f"TensorFlow can't use {path} as a model ({brief(error)}); fetch or export it again."
    )
