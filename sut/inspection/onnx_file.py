"""Reads what an ONNX file declares, from its fields alone: no weight is read, no package needed.

Numbers of fields and element types: onnx.proto, https://github.com/onnx/onnx
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from datasets.errors import ModelError
from sut.backend import Tensor
from sut.inspection.declared import Declared
from sut.model_file import check_model_file
from sut.protobuf import Message, message_in
from sut.quantization.provenance import provenance_facts

STANDARD_OPSET = "ai.onnx"
"""The name of the domain that files leave empty."""

_IR_VERSION, _PRODUCER, _PRODUCER_VERSION, _GRAPH, _OPSET_IMPORT = 1, 2, 3, 7, 8
_METADATA = 14
_OPSET_DOMAIN, _OPSET_VERSION = 1, 2
_INITIALIZER, _INPUT, _OUTPUT = 5, 11, 12
_VALUE_NAME, _VALUE_TYPE = 1, 2
_TYPE_TENSOR, _TENSOR_ELEMENT, _TENSOR_SHAPE = 1, 1, 2
_SHAPE_DIMENSION, _DIMENSION_SIZE = 1, 1
_WEIGHT_NAME, _WEIGHT_EXTERNAL, _WEIGHT_LOCATION = 8, 13, 14
_ENTRY_KEY, _ENTRY_VALUE = 1, 2
_ELSEWHERE = 1
"""Value of data_location for weights that lie in another file."""
_NEGATIVE = 1 << 63
"""From here on a varint is a negative int64."""

_ELEMENTS = {
    1: "float32",
    2: "uint8",
    3: "int8",
    4: "uint16",
    5: "int16",
    6: "int32",
    7: "int64",
    8: "string",
    9: "bool",
    10: "float16",
    11: "float64",
    12: "uint32",
    13: "uint64",
    16: "bfloat16",
}


def read_onnx(path: Path) -> Declared:
    """ModelError where there is no ONNX model at ``path``; the sentence says what there is."""
    with message_in(check_model_file(path, ".onnx")) as model:
        graphs = list(model.messages(_GRAPH))
        opsets = {_domain(entry): _version(entry) for entry in model.messages(_OPSET_IMPORT)}
        if not graphs or not opsets:
            raise ModelError(
                f"{path} is a protobuf message but no ONNX model: it has no "
                f"{'set of operators' if graphs else 'graph'}; export the model to ONNX, or name "
                "the file after what it is."
            )
        graph = graphs[-1]
        weights = set(_weight_names(graph))
        return Declared(
            producer=f"{model.text(_PRODUCER)} {model.text(_PRODUCER_VERSION)}".strip(),
            opsets=opsets,
            ir_version=model.number(_IR_VERSION),
            inputs=tuple(t for t in _tensors(graph, _INPUT) if t.name not in weights),
            outputs=tuple(_tensors(graph, _OUTPUT)),
            external_files=tuple(sorted(set(_external_files(graph)))),
            metadata={
                entry.text(_ENTRY_KEY): entry.text(_ENTRY_VALUE)
                for entry in model.messages(_METADATA)
            },
        )


def made_facts(model: Path | None) -> Mapping[str, str]:
    """How loadproof made the ONNX file ``model``, in its own words; empty for any other model."""
    if model is None or model.suffix != ".onnx":
        return {}
    try:
        return provenance_facts(read_onnx(model).metadata)
    except ModelError:
        return {}


def _domain(entry: Message) -> str:
    return entry.text(_OPSET_DOMAIN) or STANDARD_OPSET


def _version(entry: Message) -> int:
    return entry.number(_OPSET_VERSION) or 0


def _weight_names(graph: Message) -> Iterator[str]:
    """Files of early versions list their weights among the inputs as well."""
    return (weight.text(_WEIGHT_NAME) for weight in graph.messages(_INITIALIZER))


def _external_files(graph: Message) -> Iterator[str]:
    for weight in graph.messages(_INITIALIZER):
        if weight.number(_WEIGHT_LOCATION) == _ELSEWHERE:
            for entry in weight.messages(_WEIGHT_EXTERNAL):
                if entry.text(_ENTRY_KEY) == "location":
                    yield entry.text(_ENTRY_VALUE)


def _tensors(graph: Message, kind: int) -> Iterator[Tensor]:
    for value in graph.messages(kind):
        element, shape = "unknown", tuple[int | None, ...]()
        for declared in value.messages(_VALUE_TYPE):
            for tensor in declared.messages(_TYPE_TENSOR):
                element = _ELEMENTS.get(tensor.number(_TENSOR_ELEMENT) or 0, "unknown")
                shape = tuple(_sizes(tensor))
        yield Tensor(value.text(_VALUE_NAME), element, shape)


def _sizes(tensor: Message) -> Iterator[int | None]:
    for shape in tensor.messages(_TENSOR_SHAPE):
        for dimension in shape.messages(_SHAPE_DIMENSION):
            size = dimension.number(_DIMENSION_SIZE) or 0
            yield size if 0 < size < _NEGATIVE else None
