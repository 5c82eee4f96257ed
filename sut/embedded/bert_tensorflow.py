"""The embedded BERT as a frozen TensorFlow graph, with the tensor names of the official file.

Inputs ``input_ids``, ``input_mask``, ``segment_ids`` int32 [N,S]; output ``logits`` float32
[N,S,2], start then end. The same weights give the same bytes with the same TensorFlow. Importing
TensorFlow costs hundreds of MiB, so a process that goes on to measure should not write.
"""

from __future__ import annotations

import math
from typing import Any

from sut.embedded.bert_network import LAYER_NORM_EPSILON, MASKED, write_network
from sut.embedded.bert_weights import BertWeights, Dense, Norm

INPUTS = ("input_ids", "input_mask", "segment_ids")
OUTPUT = "logits"


def frozen_graph(bert: BertWeights) -> bytes:
    """The serialized GraphDef."""
    import tensorflow as tf

    graph = tf.Graph()
    with graph.as_default():
        steps = _TensorflowSteps(tf, bert)
        logits = write_network(steps, bert)
        tf.reshape(logits, [-1, steps.length, 2], name=OUTPUT)
    content: bytes = graph.as_graph_def().SerializeToString(deterministic=True)
    return content


class _TensorflowSteps:
    """Values are symbolic tensors [N*S,width]; inside the attention [N,heads,S,head size]."""

    def __init__(self, tensorflow: Any, bert: BertWeights) -> None:
        self._tf = tensorflow
        self._hidden = bert.hidden
        self._heads = bert.heads
        self._head_size = bert.hidden // bert.heads
        placeholder = tensorflow.compat.v1.placeholder
        self._ids, self._mask, self._segments = (
            placeholder(tensorflow.int32, [None, None], name=name) for name in INPUTS
        )
        self.length = tensorflow.shape(self._ids, name="shape")[1]

    def _constant(self, name: str, value: Any) -> Any:
        return self._tf.constant(value, self._tf.float32, name=name)

    def embed(self, bert: BertWeights) -> Any:
        tf = self._tf
        words = tf.gather(self._constant("words/table", bert.words), self._ids, name="words")
        table = self._constant("segments/table", bert.segments)
        segments = tf.gather(table, self._segments, name="segments")
        table = self._constant("positions/table", bert.positions)
        positions = tf.gather(table, tf.range(self.length), name="positions")
        total = self.add("embeddings", self.add("words_segments", words, segments), positions)
        return tf.reshape(total, [-1, self._hidden], name="embeddings/flat")

    def mask(self) -> Any:
        tf = self._tf
        kept = tf.cast(self._mask[:, tf.newaxis, tf.newaxis, :], tf.float32, name="mask/kept")
        return tf.multiply(1.0 - kept, MASKED, name="mask")

    def dense(self, name: str, value: Any, dense: Dense) -> Any:
        kernel = self._constant(f"{name}/kernel", dense.kernel)
        product = self._tf.matmul(value, kernel, name=f"{name}/product")
        return self._tf.nn.bias_add(product, self._constant(f"{name}/bias", dense.bias), name=name)

    def normalise(self, name: str, value: Any, norm: Norm) -> Any:
        tf = self._tf
        mean = tf.reduce_mean(value, -1, keepdims=True, name=f"{name}/mean")
        centred = tf.subtract(value, mean, name=f"{name}/centred")
        squared = tf.square(centred, name=f"{name}/squared")
        variance = tf.reduce_mean(squared, -1, keepdims=True, name=f"{name}/variance")
        inverse = tf.math.rsqrt(variance + LAYER_NORM_EPSILON, name=f"{name}/inverse")
        standard = tf.multiply(centred, inverse, name=f"{name}/standard")
        scaled = tf.multiply(standard, self._constant(f"{name}/scale", norm.scale))
        return self.add(name, scaled, self._constant(f"{name}/shift", norm.shift))

    def gelu(self, name: str, value: Any) -> Any:
        tf = self._tf
        erf = tf.math.erf(value * math.sqrt(0.5), name=f"{name}/erf")
        share = tf.multiply(erf + 1.0, 0.5, name=f"{name}/share")
        return tf.multiply(share, value, name=name)

    def add(self, name: str, left: Any, right: Any) -> Any:
        return self._tf.add(left, right, name=name)

    def attend(self, name: str, query: Any, key: Any, value: Any, mask: Any) -> Any:
        tf = self._tf
        queries = self._split(f"{name}/queries", query)
        keys = self._split(f"{name}/keys", key)
        values = self._split(f"{name}/values", value)
        scores = tf.matmul(queries, keys, transpose_b=True, name=f"{name}/scores")
        scaled = tf.multiply(scores, 1.0 / math.sqrt(self._head_size), name=f"{name}/scaled")
        shares = tf.nn.softmax(self.add(f"{name}/masked", scaled, mask), name=f"{name}/shares")
        context = tf.matmul(shares, values, name=f"{name}/context")
        ordered = tf.transpose(context, [0, 2, 1, 3], name=f"{name}/ordered")
        return tf.reshape(ordered, [-1, self._hidden], name=name)

    def _split(self, name: str, value: Any) -> Any:
        tf = self._tf
        shape = [-1, self.length, self._heads, self._head_size]
        return tf.transpose(tf.reshape(value, shape), [0, 2, 1, 3], name=name)
