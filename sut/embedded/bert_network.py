"""BERT with an answer layer, said once for every file format.

A format writes the steps below as nodes of its own. Formats differ in the layout they prefer for
the values between steps, never in what is computed: Devlin et al., 2018, arXiv:1810.04805, with
the exact (erf) GELU.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

from sut.embedded.bert_weights import BertWeights, Dense, Layer, Norm

LAYER_NORM_EPSILON = 1e-12
MASKED = -10000.0
"""Added to the score of padding, as in the original: its share of the attention rounds to zero."""

Value = TypeVar("Value")


class Steps(Protocol[Value]):
    """What a format must be able to write. ``name`` is the prefix of the nodes it makes."""

    def embed(self, bert: BertWeights) -> Value:
        """Sum of the word, segment and position rows of the graph's inputs."""

    def mask(self) -> Value:
        """0 for a token of the input, ``MASKED`` for padding; broadcasts over the scores."""

    def dense(self, name: str, value: Value, dense: Dense) -> Value:
        """value @ kernel + bias."""

    def normalise(self, name: str, value: Value, norm: Norm) -> Value:
        """Layer normalisation over the last axis."""

    def gelu(self, name: str, value: Value) -> Value:
        """value × Φ(value), by the error function."""

    def add(self, name: str, left: Value, right: Value) -> Value: ...

    def attend(self, name: str, query: Value, key: Value, value: Value, mask: Value) -> Value:
        """Softmax attention in every head; takes and returns values with the heads merged."""


def write_network(steps: Steps[Value], bert: BertWeights) -> Value:
    """Write the whole network; returns the start and end logit of every token, last axis 2."""
    hidden = steps.normalise("embeddings/norm", steps.embed(bert), bert.norm)
    mask = steps.mask()
    for index, layer in enumerate(bert.layers):
        hidden = _write_layer(steps, f"layer_{index}", hidden, layer, mask)
    return steps.dense("answer", hidden, bert.answer)


def _write_layer(steps: Steps[Value], name: str, hidden: Value, layer: Layer, mask: Value) -> Value:
    query = steps.dense(f"{name}/query", hidden, layer.query)
    key = steps.dense(f"{name}/key", hidden, layer.key)
    value = steps.dense(f"{name}/value", hidden, layer.value)
    context = steps.attend(f"{name}/attention", query, key, value, mask)
    context = steps.dense(f"{name}/attention/output", context, layer.attention_output)
    context = steps.add(f"{name}/attention/residual", context, hidden)
    context = steps.normalise(f"{name}/attention/norm", context, layer.attention_norm)
    wide = steps.dense(f"{name}/intermediate", context, layer.intermediate)
    output = steps.dense(f"{name}/output", steps.gelu(f"{name}/gelu", wide), layer.output)
    output = steps.add(f"{name}/residual", output, context)
    return steps.normalise(f"{name}/norm", output, layer.output_norm)
