"""Tiny models with something to quantise, whose answers stay what they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tests.sut.models import class_weights, onnx_package

SIZE = 224


def convolutional_onnx(path: Path, opset: int = 11) -> Path:
    """A ResNet50-like interface over one 1 × 1 convolution: the channel with the largest mean,
    above the ordinary, decides the class."""
    onnx = onnx_package()
    helper, types = onnx.helper, onnx.TensorProto
    kernel = np.eye(3, dtype=np.float32).reshape(3, 3, 1, 1)
    nodes = [
        helper.make_node("Conv", ["input_tensor:0", "kernel", "bias"], ["convolved"], "conv"),
        helper.make_node("Relu", ["convolved"], ["rectified"], "relu"),
        helper.make_node("ReduceMean", ["rectified"], ["means"], "mean", axes=[2, 3], keepdims=0),
        helper.make_node("MatMul", ["means", "weights"], ["scores"], "head"),
        helper.make_node("Softmax", ["scores"], ["softmax_tensor:0"], "softmax", axis=1),
        helper.make_node("ArgMax", ["scores"], ["ArgMax:0"], "label", axis=1, keepdims=0),
    ]
    constants = {
        "kernel": kernel,
        "bias": np.array([124, 117, 104], np.float32),
        "weights": class_weights(1001),
    }
    outputs = [("ArgMax:0", types.INT64, ["N"]), ("softmax_tensor:0", types.FLOAT, ["N", 1001])]
    inputs = [("input_tensor:0", types.FLOAT, ["N", 3, SIZE, SIZE])]
    return _written(path, nodes, inputs, outputs, constants, opset)


def feed_forward_onnx(path: Path) -> Path:
    """[N, 8] float32 ``x`` → ``y``: a product, GELU and another product, as in BERT."""
    onnx = onnx_package()
    helper, types = onnx.helper, onnx.TensorProto
    nodes = [
        helper.make_node("MatMul", ["x", "first"], ["product"], "before"),
        helper.make_node("Add", ["product", "shift"], ["inner"], "shifted"),
        helper.make_node("Div", ["inner", "root_two"], ["scaled"], "scaled"),
        helper.make_node("Erf", ["scaled"], ["erf"], "erf"),
        helper.make_node("Add", ["erf", "one"], ["share"], "share"),
        helper.make_node("Mul", ["inner", "share"], ["doubled"], "doubled"),
        helper.make_node("Mul", ["doubled", "half"], ["gelu"], "gelu"),
        helper.make_node("MatMul", ["gelu", "second"], ["y"], "behind"),
    ]
    generator = np.random.default_rng(0)
    constants = {
        "first": generator.normal(size=(8, 16)).astype(np.float32),
        "second": generator.normal(size=(16, 8)).astype(np.float32),
        "shift": generator.normal(size=16).astype(np.float32),
        "root_two": np.float32(np.sqrt(2)).reshape(()),
        "one": np.float32(1).reshape(()),
        "half": np.float32(0.5).reshape(()),
    }
    value = (types.FLOAT, ["N", 8])
    return _written(path, nodes, [("x", *value)], [("y", *value)], constants, 12)


def _written(
    path: Path, nodes: Any, inputs: Any, outputs: Any, constants: dict[str, Any], opset: int
) -> Path:
    onnx = onnx_package()
    helper = onnx.helper
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(*value) for value in inputs],
        [helper.make_tensor_value_info(*value) for value in outputs],
        [onnx.numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    opsets = [helper.make_opsetid("", opset)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=7)
    path.write_bytes(model.SerializeToString())
    return path
