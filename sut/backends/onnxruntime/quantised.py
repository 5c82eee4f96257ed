"""Whether a model file computes in 8-bit integers, so that a precision is never only claimed."""

from __future__ import annotations

import mmap
from pathlib import Path

from datasets.errors import ModelError

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


def check_precision(model: Path, precision: str) -> None:
    """ModelError where the file is quantised and ``precision`` is not int8, or the reverse."""
    operator = _quantised_by(model)
    if precision == "int8" and operator is None:
        raise ModelError(
            f"Asked for int8, but {model} has no quantised operator; name a quantised model or "
            "ask for --precision fp32."
        )
    if precision != "int8" and operator is not None:
        raise ModelError(
            f"Asked for {precision}, but {model} is quantised (it has {operator}); ask for "
            "--precision int8."
        )


def _quantised_by(model: Path) -> str | None:
    with model.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        for name in _OPERATORS:
            if data.find(_OP_TYPE + bytes([len(name)]) + name.encode()) >= 0:
                return name
    return None
