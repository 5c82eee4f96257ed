"""Makers of tiny models with the official tensor names and shapes, and answers easy to foretell.

ResNet50: the channel with the largest mean decides the class (CLASS_OF_CHANNEL). BERT: the start
logit of a token is its id, the end logit is its id plus half its mask plus a quarter its segment.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

CLASS_OF_CHANNEL = (8, 500, 999)
BERT_FP32_NAMES = ("input_ids", "input_mask", "segment_ids")
BERT_INT8_NAMES = ("input_ids", "attention_mask", "token_type_ids")
START, END = "output_start_logits", "output_end_logits"


def onnx_package() -> Any:
    """The package that writes .onnx files; a test that needs one skips without it."""
    return pytest.importorskip("onnx", reason="the package onnx is not installed")


def write_onnx(path: Path, nodes: Any, inputs: Any, outputs: Any, constants: Any = ()) -> Path:
    """A model of ``nodes`` whose values are (name, element type, shape), opset 13."""
    helper = onnx_package().helper

    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(*value) for value in inputs],
        [helper.make_tensor_value_info(*value) for value in outputs],
        list(constants),
    )
    domains = {"", *(node.domain for node in nodes)}
    opsets = [helper.make_opsetid(name, 1 if name else 13) for name in sorted(domains)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
    path.write_bytes(model.SerializeToString())
    return path


def relu_onnx(path: Path, operator: str = "Relu", domain: str = "") -> Path:
    """[N, 4] float32 ``x`` → ``y``, by one operator."""
    onnx = onnx_package()
    helper, types = onnx.helper, onnx.TensorProto

    value = (types.FLOAT, ["N", 4])
    node = helper.make_node(operator, ["x"], ["y"], domain=domain)
    return write_onnx(path, [node], [("x", *value)], [("y", *value)])


def class_weights(classes: int) -> NDArray[np.float32]:
    """[3, classes]: one for the class that each channel stands for."""
    weights = np.zeros((len(CLASS_OF_CHANNEL), classes), np.float32)
    weights[range(len(CLASS_OF_CHANNEL)), CLASS_OF_CHANNEL] = 1
    return weights


def resnet50_onnx(
    path: Path,
    *,
    batch: int | str = "N",
    layout: str = "NCHW",
    classes: int = 1001,
    input_name: str = "input_tensor:0",
    outputs: Sequence[str] = ("ArgMax:0", "softmax_tensor:0"),
) -> Path:
    """As the official resnet50_v1.onnx, unless told otherwise."""
    onnx = onnx_package()
    helper, numpy_helper, types = onnx.helper, onnx.numpy_helper, onnx.TensorProto

    shape = [batch, 3, 224, 224] if layout == "NCHW" else [batch, 224, 224, 3]
    sides = [2, 3] if layout == "NCHW" else [1, 2]
    nodes = [
        helper.make_node("ReduceMean", [input_name], ["means"], axes=sides, keepdims=0),
        helper.make_node("MatMul", ["means", "weights"], ["scores"]),
        helper.make_node("Softmax", ["scores"], ["softmax_tensor:0"], axis=1),
        helper.make_node("ArgMax", ["scores"], ["ArgMax:0"], axis=1, keepdims=0),
    ]
    declared = {
        "ArgMax:0": (types.INT64, [batch]),
        "softmax_tensor:0": (types.FLOAT, [batch, classes]),
    }
    return write_onnx(
        path,
        nodes,
        [(input_name, types.FLOAT, shape)],
        [(name, *declared[name]) for name in outputs],
        [numpy_helper.from_array(class_weights(classes), "weights")],
    )


def bert_onnx(
    path: Path,
    *,
    names: Sequence[str] = BERT_FP32_NAMES,
    batch: int | str = "N",
    tokens: int | str = "S",
    joined: bool = False,
) -> Path:
    """As the official BERT model.onnx but for its free length, unless told otherwise."""
    onnx = onnx_package()
    helper, numpy_helper, types = onnx.helper, onnx.numpy_helper, onnx.TensorProto

    nodes = [
        helper.make_node("Cast", [name], [role], to=types.FLOAT)
        for name, role in zip(names, ("ids", "mask", "segment"), strict=True)
    ]
    nodes += [
        helper.make_node("Mul", ["mask", "half"], ["mask_part"]),
        helper.make_node("Mul", ["segment", "quarter"], ["segment_part"]),
        helper.make_node("Sum", ["ids"], [START]),
        helper.make_node("Sum", ["ids", "mask_part", "segment_part"], [END]),
    ]
    outputs = [(name, types.FLOAT, [batch, tokens]) for name in (START, END)]
    if joined:
        nodes.append(helper.make_node("Unsqueeze", [START, "last"], ["start"]))
        nodes.append(helper.make_node("Unsqueeze", [END, "last"], ["end"]))
        nodes.append(helper.make_node("Concat", ["start", "end"], ["logits"], axis=2))
        outputs = [("logits", types.FLOAT, [batch, tokens, 2])]
    constants = [
        numpy_helper.from_array(np.float32(0.5), "half"),
        numpy_helper.from_array(np.float32(0.25), "quarter"),
        numpy_helper.from_array(np.array([2], np.int64), "last"),
    ]
    inputs = [(name, types.INT64, [batch, tokens]) for name in names]
    return write_onnx(path, nodes, inputs, outputs, constants)


def write_frozen(path: Path, graph: Any) -> Path:
    """The graph as a frozen .pb file."""
    path.write_bytes(graph.as_graph_def().SerializeToString())
    return path


def resnet50_frozen(path: Path) -> Path:
    """As the official resnet50_v1.pb: NHWC, ``ArgMax`` and ``softmax_tensor``."""
    import tensorflow as tf

    graph = tf.Graph()
    with graph.as_default():
        images = tf.compat.v1.placeholder(tf.float32, [None, 224, 224, 3], name="input_tensor")
        scores = tf.matmul(tf.reduce_mean(images, [1, 2]), class_weights(1001))
        tf.nn.softmax(scores, name="softmax_tensor")
        tf.argmax(scores, axis=1, name="ArgMax")
    return write_frozen(path, graph)


def bert_frozen(path: Path) -> Path:
    """As the official BERT model.pb: three int32 inputs, ``logits`` [N, S, 2]."""
    import tensorflow as tf

    graph = tf.Graph()
    with graph.as_default():
        fed = [
            tf.compat.v1.placeholder(tf.int32, [None, None], name=name) for name in BERT_FP32_NAMES
        ]
        ids, mask, segment = (tf.cast(tensor, tf.float32) for tensor in fed)
        tf.stack([ids, ids + 0.5 * mask + 0.25 * segment], axis=2, name="logits")
    return write_frozen(path, graph)


def convolution_frozen(path: Path) -> Path:
    """[N, 16, 16, 8] float32 ``x`` → ``y`` of the same shape, by two seeded convolutions."""
    import tensorflow as tf

    random = np.random.default_rng(7)
    graph = tf.Graph()
    with graph.as_default():
        layer = tf.compat.v1.placeholder(tf.float32, [None, 16, 16, 8], name="x")
        for _ in range(2):
            weights = random.normal(0, 0.1, (3, 3, 8, 8)).astype(np.float32)
            layer = tf.nn.relu(tf.nn.conv2d(layer, weights, 1, "SAME"))
        tf.identity(layer, name="y")
    return write_frozen(path, graph)
