"""Reads what a TensorFlow model's file declares; its inputs and outputs TensorFlow alone can tell.

Numbers of fields: graph.proto, versions.proto, saved_model.proto and meta_graph.proto,
https://github.com/tensorflow/tensorflow
"""

from __future__ import annotations

from pathlib import Path

from datasets.errors import ModelError
from sut.inspection.declared import Declared
from sut.model_file import check_model_file
from sut.protobuf import Message, message_in

SAVED_MODEL = "saved_model.pb"
"""The file that makes a folder a SavedModel."""

_NODE, _VERSIONS, _PRODUCER = 1, 4, 1
_META_GRAPH, _META_INFO, _TENSORFLOW_VERSION = 2, 1, 5


def read_frozen(path: Path) -> Declared:
    """A frozen graph. ModelError where there is none at ``path``."""
    with message_in(check_model_file(path, ".pb")) as graph:
        if next(graph.messages(_NODE), None) is None:
            raise ModelError(
                f"{path} is a protobuf message but no frozen graph: it has no node; freeze the "
                "model again, or name the file after what it is."
            )
        versions = [_graph_version(message) for message in graph.messages(_VERSIONS)]
    return Declared(producer="".join(versions[-1:]))


def _graph_version(versions: Message) -> str:
    number = versions.number(_PRODUCER)
    return "" if number is None else f"TensorFlow, graph version {number}"


def read_saved_model(folder: Path) -> Declared:
    """A SavedModel folder. ModelError where it is none."""
    path = folder / SAVED_MODEL
    if not path.is_file():
        raise ModelError(
            f"The folder {folder} is no SavedModel: it has no {SAVED_MODEL}; name a SavedModel "
            "folder, or the model file inside."
        )
    with message_in(check_model_file(path, ".pb")) as saved:
        versions = [
            info.text(_TENSORFLOW_VERSION)
            for graph in saved.messages(_META_GRAPH)
            for info in graph.messages(_META_INFO)
        ]
    known = ", ".join(dict.fromkeys(filter(None, versions)))
    return Declared(producer=f"TensorFlow {known}".strip())
