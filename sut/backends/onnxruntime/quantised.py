"""In which precision a model file computes, so that a precision is never only claimed."""

from __future__ import annotations

import mmap
from contextlib import suppress
from pathlib import Path

from datasets.errors import ModelError
from sut.protobuf import Message, message_in

_OPERATORS = (
    "QuantizeLinear",
    "DynamicQuantizeLinear",
    "QLinearConv",
    "QLinearMatMul",
    "MatMulInteger",
    "ConvInteger",
)
_OP_TYPE = b"\x22"
"""Key of NodeProto.op_type (field 4, length-delimited), onnx.proto."""
_GRAPH, _INITIALIZER, _DATA_TYPE = 7, 5, 2
_FLOAT, _FLOAT16 = 1, 10
"""Values of TensorProto.DataType, onnx.proto."""


def precision_of(model: Path) -> str:
    """``int8``, ``fp16`` or ``fp32``: what a run of the file must ask for."""
    if _quantised_by(model) is not None:
        return "int8"
    return "fp16" if _is_half(model) else "fp32"


def check_precision(model: Path, precision: str) -> None:
    """ModelError where the file's precision is another than ``precision``."""
    found = precision_of(model)
    if precision == found:
        return
    if precision == "int8":
        raise ModelError(
            f"Asked for int8, but {model} has no quantised operator; name a quantised model or "
            f"ask for --precision {found}."
        )
    why = {
        "int8": f"is quantised (it has {_quantised_by(model)})",
        "fp16": "keeps its weights in float16",
        "fp32": "keeps its weights in float32",
    }
    raise ModelError(
        f"Asked for {precision}, but {model} {why[found]}; ask for --precision {found}."
    )


def _quantised_by(model: Path) -> str | None:
    with model.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        for name in _OPERATORS:
            if data.find(_OP_TYPE + bytes([len(name)]) + name.encode()) >= 0:
                return name
    return None


def _is_half(model: Path) -> bool:
    """Whether more weights are float16 than float32. What is no model at all, the runtime says."""
    types: list[int | None] = []
    with suppress(ModelError), message_in(model) as whole:
        types = [weight.number(_DATA_TYPE) for weight in _weights(whole)]
    return types.count(_FLOAT16) > types.count(_FLOAT)


def _weights(model: Message) -> list[Message]:
    return [weight for graph in model.messages(_GRAPH) for weight in graph.messages(_INITIALIZER)]
