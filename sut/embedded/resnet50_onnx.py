"""The embedded ResNet-50 as an ONNX model with the official file's interface.

Opset 11; input ``input_tensor:0`` float32 [N,3,224,224]; outputs ``ArgMax:0`` int64 [N] and
``softmax_tensor:0`` float32 [N,1001]. The same weights give the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sut.embedded.resnet50_graph import CLASSES, FEATURES, Layer, features
from sut.embedded.resnet50_weights import Convolution, Resnet50Weights

Shape = Sequence[str | int]

INPUT = "input_tensor:0"
LABEL = "ArgMax:0"
PROBABILITIES = "softmax_tensor:0"
FEATURES_OUTPUT = "features"
_LOGITS = "logits"
_BATCH = "N"
_IMAGE: Shape = [_BATCH, 3, 224, 224]
_OPSET = 11
_IR_VERSION = 6
"""The oldest that goes with opset 11, so that old readers take the file."""


def classifier_model(weights: Resnet50Weights) -> bytes:
    """The serialized model, from image to label."""
    graph = _Graph(weights.convolutions)
    graph.constant("head/weights", weights.head)
    graph.constant("head/bias", weights.head_bias)
    value = features(graph, INPUT)
    value = graph.node("MatMul", [value, "head/weights"], "head/matmul")
    graph.node("Add", [value, "head/bias"], _LOGITS)
    graph.node("ArgMax", [_LOGITS], LABEL, axis=1, keepdims=0)
    graph.node("Softmax", [_LOGITS], PROBABILITIES, axis=1)
    graph.output(LABEL, np.int64, [_BATCH])
    graph.output(PROBABILITIES, np.float32, [_BATCH, CLASSES])
    return graph.serialized(_IMAGE)


def feature_model(convolutions: Mapping[str, Convolution]) -> bytes:
    """The serialized model that ends before the head: output ``features`` float32 [N,2048]."""
    graph = _Graph(convolutions)
    graph.node("Identity", [features(graph, INPUT)], FEATURES_OUTPUT)
    graph.output(FEATURES_OUTPUT, np.float32, [_BATCH, FEATURES])
    return graph.serialized(_IMAGE)


def layer_model(layer: Layer, convolution: Convolution) -> bytes:
    """The serialized model of one convolution: input ``input_tensor:0`` [N,inputs,H,W], one
    output named as the layer."""
    graph = _Graph({layer.name: convolution})
    graph.output(graph.convolve(layer, INPUT), np.float32, [_BATCH, layer.outputs, "h", "w"])
    return graph.serialized([_BATCH, layer.inputs, "H", "W"])


class _Graph:
    """Collects nodes and constants; a value is the name of a tensor."""

    def __init__(self, convolutions: Mapping[str, Convolution]) -> None:
        self._convolutions = convolutions
        self._nodes: list[Any] = []
        self._constants: list[Any] = []
        self._outputs: list[Any] = []

    def convolve(self, layer: Layer, value: str) -> str:
        weights = self._convolutions[layer.name]
        kernel = self.constant(f"{layer.name}/kernel", weights.kernel)
        bias = self.constant(f"{layer.name}/bias", weights.bias)
        return self.node(
            "Conv",
            [value, kernel, bias],
            layer.name,
            kernel_shape=[layer.size] * 2,
            pads=[layer.padding] * 4,
            strides=[layer.stride] * 2,
        )

    def rectify(self, value: str, name: str) -> str:
        return self.node("Relu", [value], name)

    def add(self, left: str, right: str, name: str) -> str:
        return self.node("Add", [left, right], name)

    def max_pool(self, value: str) -> str:
        return self.node(
            "MaxPool", [value], "pool", kernel_shape=[3, 3], pads=[0, 0, 1, 1], strides=[2, 2]
        )

    def average(self, value: str) -> str:
        return self.node("ReduceMean", [value], "average", axes=[2, 3], keepdims=0)

    def node(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        """Add a node named as its only output, and return that name."""
        from onnx import helper

        self._nodes.append(helper.make_node(kind, inputs, [output], output, **attributes))
        return output

    def constant(self, name: str, value: NDArray[np.float32]) -> str:
        from onnx import numpy_helper

        self._constants.append(numpy_helper.from_array(value, name))
        return name

    def output(self, name: str, dtype: type[np.generic], shape: Shape) -> None:
        self._outputs.append(_tensor(name, dtype, shape))

    def serialized(self, image: Shape) -> bytes:
        """The model whose input has this shape."""
        from onnx import helper

        graph = helper.make_graph(
            self._nodes,
            "resnet50-embedded",
            [_tensor(INPUT, np.float32, image)],
            self._outputs,
            self._constants,
        )
        model = helper.make_model(
            graph,
            producer_name="loadproof",
            ir_version=_IR_VERSION,
            opset_imports=[helper.make_opsetid("", _OPSET)],
        )
        content: bytes = model.SerializeToString(deterministic=True)
        return content


def _tensor(name: str, dtype: type[np.generic], shape: Shape) -> Any:
    from onnx import helper

    element = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    return helper.make_tensor_value_info(name, element, shape)
