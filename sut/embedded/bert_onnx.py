"""The embedded BERT as an ONNX model, with the tensor names of the official FP32 file.

Inputs ``input_ids``, ``input_mask``, ``segment_ids`` int64 [N,S]; outputs
``output_start_logits``, ``output_end_logits`` float32 [N,S]. Nodes, their order, the axes and the
opset are those in which ONNX Runtime recognises BERT and fuses its attention, layer normalisation
and GELU; a newer opset loses the attention. The same weights give the same bytes.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sut.embedded.bert_network import LAYER_NORM_EPSILON, MASKED, write_network
from sut.embedded.bert_weights import BertWeights, Dense, Norm

INPUTS = ("input_ids", "input_mask", "segment_ids")
OUTPUTS = ("output_start_logits", "output_end_logits")
_SHAPE = ["N", "S"]
_OPSET = 12
_IR_VERSION = 7
"""The oldest that goes with opset 12, so that old readers take the file."""


def onnx_model(bert: BertWeights) -> bytes:
    """The serialized model."""
    steps = _OnnxSteps(bert)
    logits = write_network(steps, bert)
    both = ["answer/start", "answer/end"]
    steps.node("Split", [logits], *both, axis=2, split=[1, 1])
    for one, output in zip(both, OUTPUTS, strict=True):
        steps.node("Squeeze", [one], output, axes=[2])
    return steps.serialized()


class _OnnxSteps:
    """Values are names of tensors [N,S,width]; inside the attention [N,heads,S,head size]."""

    def __init__(self, bert: BertWeights) -> None:
        self._hidden = bert.hidden
        self._heads = bert.heads
        self._head_size = bert.hidden // bert.heads
        self._nodes: list[Any] = []
        self._constants: dict[str, Any] = {}

    def node(self, kind: str, inputs: list[str], *outputs: str, **attributes: Any) -> str:
        """Add a node named as its first output, and return that name."""
        from onnx import helper

        self._nodes.append(helper.make_node(kind, inputs, outputs, outputs[0], **attributes))
        return outputs[0]

    def floats(self, name: str, value: ArrayLike) -> str:
        return self._constant(name, np.asarray(value, dtype=np.float32))

    def integers(self, name: str, value: ArrayLike) -> str:
        return self._constant(name, np.asarray(value, dtype=np.int64))

    def _constant(self, name: str, value: Any) -> str:
        """A constant, written once however often it is asked for by this name."""
        from onnx import numpy_helper

        if name not in self._constants:
            self._constants[name] = numpy_helper.from_array(value, name)
        return name

    def embed(self, bert: BertWeights) -> str:
        words = self.node("Gather", [self.floats("words/table", bert.words), INPUTS[0]], "words")
        segments = self.floats("segments/table", bert.segments)
        segments = self.node("Gather", [segments, INPUTS[2]], "segments")
        shape = self.node("Shape", [INPUTS[0]], "shape")
        length = self.node("Gather", [shape, self.integers("second", [1])], "length")
        table = self.floats("positions/table", bert.positions)
        first = self.integers("first", [0])
        positions = self.node("Slice", [table, first, length], "positions")
        return self.add("embeddings", self.add("words_segments", words, segments), positions)

    def mask(self) -> str:
        from onnx import TensorProto

        rows = self.node("Unsqueeze", [INPUTS[1]], "mask/rows", axes=[1])
        grid = self.node("Unsqueeze", [rows], "mask/grid", axes=[2])
        kept = self.node("Cast", [grid], "mask/kept", to=TensorProto.FLOAT)
        padding = self.node("Sub", [self.floats("one", 1.0), kept], "mask/padding")
        return self.node("Mul", [padding, self.floats("masked", MASKED)], "mask")

    def dense(self, name: str, value: str, dense: Dense) -> str:
        kernel = self.floats(f"{name}/kernel", dense.kernel)
        product = self.node("MatMul", [value, kernel], f"{name}/product")
        return self.add(name, product, self.floats(f"{name}/bias", dense.bias))

    def normalise(self, name: str, value: str, norm: Norm) -> str:
        mean = self.node("ReduceMean", [value], f"{name}/mean", axes=[-1])
        centred = self.node("Sub", [value, mean], f"{name}/centred")
        squared = self.node("Pow", [centred, self.floats("two", 2.0)], f"{name}/squared")
        variance = self.node("ReduceMean", [squared], f"{name}/variance", axes=[-1])
        variance = self.add(f"{name}/safe", variance, self.floats("epsilon", LAYER_NORM_EPSILON))
        deviation = self.node("Sqrt", [variance], f"{name}/deviation")
        standard = self.node("Div", [centred, deviation], f"{name}/standard")
        scale = self.floats(f"{name}/scale", norm.scale)
        scaled = self.node("Mul", [standard, scale], f"{name}/scaled")
        return self.add(name, scaled, self.floats(f"{name}/shift", norm.shift))

    def gelu(self, name: str, value: str) -> str:
        root_two = self.floats("root_two", math.sqrt(2))
        scaled = self.node("Div", [value, root_two], f"{name}/scaled")
        erf = self.node("Erf", [scaled], f"{name}/erf")
        doubled_share = self.add(f"{name}/doubled_share", erf, self.floats("one", 1.0))
        product = self.node("Mul", [value, doubled_share], f"{name}/product")
        return self.node("Mul", [product, self.floats("half", 0.5)], name)

    def add(self, name: str, left: str, right: str) -> str:
        return self.node("Add", [left, right], name)

    def attend(self, name: str, query: str, key: str, value: str, mask: str) -> str:
        queries = self._split(f"{name}/queries", query, [0, 2, 1, 3])
        keys = self._split(f"{name}/keys", key, [0, 2, 3, 1])
        values = self._split(f"{name}/values", value, [0, 2, 1, 3])
        scores = self.node("MatMul", [queries, keys], f"{name}/scores")
        root = self.floats("root_head_size", math.sqrt(self._head_size))
        scaled = self.node("Div", [scores, root], f"{name}/scaled")
        masked = self.add(f"{name}/masked", scaled, mask)
        shares = self.node("Softmax", [masked], f"{name}/shares", axis=3)
        context = self.node("MatMul", [shares, values], f"{name}/context")
        ordered = self.node("Transpose", [context], f"{name}/ordered", perm=[0, 2, 1, 3])
        merged = self.integers("merged", [0, 0, self._hidden])
        return self.node("Reshape", [ordered, merged], name)

    def _split(self, name: str, value: str, order: list[int]) -> str:
        heads = self.integers("heads", [0, 0, self._heads, self._head_size])
        apart = self.node("Reshape", [value, heads], f"{name}/heads")
        return self.node("Transpose", [apart], name, perm=order)

    def serialized(self) -> bytes:
        from onnx import TensorProto, helper

        tensor = helper.make_tensor_value_info
        graph = helper.make_graph(
            self._nodes,
            "bert-embedded",
            [tensor(name, TensorProto.INT64, _SHAPE) for name in INPUTS],
            [tensor(name, TensorProto.FLOAT, _SHAPE) for name in OUTPUTS],
            list(self._constants.values()),
            # No reader infers that as many positions as tokens were taken; fusing depends on it.
            value_info=[tensor("embeddings", TensorProto.FLOAT, [*_SHAPE, self._hidden])],
        )
        model = helper.make_model(
            graph,
            producer_name="loadproof",
            ir_version=_IR_VERSION,
            opset_imports=[helper.make_opsetid("", _OPSET)],
        )
        content: bytes = model.SerializeToString(deterministic=True)
        return content
