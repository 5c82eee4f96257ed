"""The embedded ResNet-50 as a frozen TensorFlow graph with the official file's interface.

Input ``input_tensor`` float32 [N,224,224,3]; outputs ``ArgMax`` int64 [N] and ``softmax_tensor``
float32 [N,1001]. Padding is explicit where TensorFlow's own would differ from the ONNX file's, so
both files compute the same. No session is opened; importing TensorFlow still costs hundreds of
MiB, so a process that goes on to measure should not be the one that writes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sut.embedded.resnet50_graph import Layer, features
from sut.embedded.resnet50_weights import Convolution, Resnet50Weights

INPUT = "input_tensor"
LABEL = "ArgMax"
PROBABILITIES = "softmax_tensor"


def frozen_graph(weights: Resnet50Weights) -> bytes:
    """The serialized GraphDef."""
    import tensorflow as tf

    graph = tf.Graph()
    with graph.as_default():
        image = tf.compat.v1.placeholder(tf.float32, [None, 224, 224, 3], name=INPUT)
        value = features(_Graph(tf, weights.convolutions), image)
        value = tf.matmul(value, tf.constant(weights.head, name="head/weights"), name="head/matmul")
        logits = tf.nn.bias_add(value, tf.constant(weights.head_bias), name="logits")
        tf.argmax(logits, axis=1, name=LABEL)
        tf.nn.softmax(logits, name=PROBABILITIES)
    content: bytes = graph.as_graph_def().SerializeToString(deterministic=True)
    return content


class _Graph:
    """Adds nodes to the default graph; a value is a symbolic tensor, NHWC."""

    def __init__(self, tensorflow: Any, convolutions: Mapping[str, Convolution]) -> None:
        self._tf = tensorflow
        self._convolutions = convolutions

    def convolve(self, layer: Layer, value: Any) -> Any:
        weights = self._convolutions[layer.name]
        kernel = self._tf.constant(
            weights.kernel.transpose(2, 3, 1, 0), name=f"{layer.name}/kernel"
        )
        value = self._tf.nn.conv2d(
            self._padded(layer, value), kernel, layer.stride, "VALID", name=f"{layer.name}/conv"
        )
        bias = self._tf.constant(weights.bias, name=f"{layer.name}/bias")
        return self._tf.nn.bias_add(value, bias, name=layer.name)

    def _padded(self, layer: Layer, value: Any) -> Any:
        if not layer.padding:
            return value
        sides = [layer.padding] * 2
        return self._tf.pad(value, [[0, 0], sides, sides, [0, 0]], name=f"{layer.name}/pad")

    def rectify(self, value: Any, name: str) -> Any:
        return self._tf.nn.relu(value, name=name)

    def add(self, left: Any, right: Any, name: str) -> Any:
        return self._tf.add(left, right, name=name)

    def max_pool(self, value: Any) -> Any:
        return self._tf.nn.max_pool2d(value, 3, 2, "SAME", name="pool")

    def average(self, value: Any) -> Any:
        return self._tf.reduce_mean(value, axis=[1, 2], name="average")
