"""Drives BERT question answering: whichever of the usual names the model's tensors have.

A batch is only as long as its longest sample needs, in steps of 64 tokens, unless the model's
shape or the option ``pad`` fixes 384. An answer is float32 [length, 2], start then end logit of
each token, as the reference logs it; padding is never logged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.errors import ModelError, UsageError
from sut.adapter import Answers, Needs
from sut.adapters.tensors import FLOATS, INTEGERS, batch_facts, stem, unfit
from sut.backend import Arrays, Tensor

_TOKENS = 384
_STEP = 64
_TOKEN_BYTES = 8
_ROLES = {
    "input_ids": "input_ids",
    "input_mask": "input_mask",
    "attention_mask": "input_mask",
    "segment_ids": "segment_ids",
    "token_type_ids": "segment_ids",
}
"""Name of a model's input → the prepared array that it takes."""
_NEEDED = frozenset(_ROLES.values())


@dataclass
class BertAdapter:
    """A :class:`sut.adapter.Adapter` for one BERT model."""

    needs: Needs
    outputs: tuple[str, ...]
    """The start and the end logits [N, S], or both in one [N, S, 2]."""
    max_batch: int | None
    facts: Mapping[str, str]
    arrays: Mapping[str, str]
    """Input name → prepared array."""
    dtypes: Mapping[str, str]
    """Input name → element type."""
    always_full: bool
    """Whether every batch has 384 tokens."""

    def feeds(self, samples: Arrays) -> Arrays:
        """The first tokens of each array: enough for the longest sample of the batch."""
        width = self._width(samples["length"].tolist())
        return {
            name: np.ascontiguousarray(samples[array][:, :width], dtype=self.dtypes[name])
            for name, array in self.arrays.items()
        }

    def answers(self, outputs: Sequence[NDArray[Any]], samples: Arrays) -> Answers:
        """[length, 2] float32 a sample; each trimmed by its size alone, nothing is moved."""
        lengths = samples["length"].tolist()
        logits = _joined(outputs)
        shape = (len(lengths), self._width(lengths), 2)
        if logits.shape != shape:
            raise ModelError(
                f"The model answered logits of shape {logits.shape} to a batch of {shape[0]} "
                f"samples of {shape[1]} tokens; a start and an end logit for each token are needed."
            )
        return Answers(logits, [length * _TOKEN_BYTES for length in lengths])

    def _width(self, lengths: Sequence[int]) -> int:
        if self.always_full:
            return _TOKENS
        return min(_TOKENS, -(-max(lengths) // _STEP) * _STEP)


def _joined(outputs: Sequence[NDArray[Any]]) -> NDArray[np.float32]:
    """Start and end logits [N, S], or both in one [N, S, 2], as float32 [N, S, 2]."""
    if len(outputs) == 1:
        return np.ascontiguousarray(outputs[0], dtype=np.float32)
    start, end = outputs
    joined = np.empty((*start.shape, 2), np.float32)
    joined[..., 0] = start
    joined[..., 1] = end
    return joined


def bert_adapter(
    inputs: Sequence[Tensor], outputs: Sequence[Tensor], options: Mapping[str, str]
) -> BertAdapter:
    """Raises ModelError where the model has not the three inputs and the two logits."""
    arrays = _arrays(inputs)
    logits = _logits(outputs)
    asked = _pad(options) == str(_TOKENS)
    fixed = any(tensor.shape[1] is not None for tensor in inputs)
    always_full = fixed or asked
    batch = inputs[0].shape[0]
    ids = next(t for t in inputs if arrays[t.name] == "input_ids")
    facts = {
        "inputs": ", ".join(t.name for t in inputs),
        "answer": ", ".join(t.name for t in logits),
        "input_dtype": ids.dtype,
        "tokens": _tokens_fact(fixed, asked),
        **batch_facts(batch),
    }
    return BertAdapter(
        needs=Needs(dtype=ids.dtype),
        outputs=tuple(t.name for t in logits),
        max_batch=batch,
        facts=facts,
        arrays=arrays,
        dtypes={t.name: t.dtype for t in inputs},
        always_full=always_full,
    )


def _arrays(inputs: Sequence[Tensor]) -> dict[str, str]:
    found = {t.name: _ROLES[stem(t)] for t in inputs if stem(t) in _ROLES and _is_tokens(t)}
    if len(found) != len(inputs) or set(found.values()) != _NEEDED or len(found) != len(_NEEDED):
        wanted = (
            "it needs three integer inputs [N, 384], called input_ids, input_mask (or "
            "attention_mask) and segment_ids (or token_type_ids)"
        )
        raise unfit("bert", wanted, inputs, "inputs")
    return found


def _is_tokens(tensor: Tensor) -> bool:
    shape = tensor.shape
    return tensor.dtype in INTEGERS and len(shape) == 2 and shape[1] in (None, _TOKENS)


def _logits(outputs: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """One output that holds both logits, or the start's and the end's, in this order."""
    floats = [t for t in outputs if t.dtype in FLOATS]
    both = [t for t in floats if len(t.shape) == 3 and t.shape[2] in (2, None)]
    if both:
        return (both[0],)
    rows = [t for t in floats if len(t.shape) == 2]
    start = [t for t in rows if "start" in t.name]
    end = [t for t in rows if "end" in t.name]
    if len(start) == len(end) == 1:
        return (start[0], end[0])
    if len(rows) == 2 and not start and not end:
        return (rows[0], rows[1])
    wanted = "it needs the start and end logits [N, 384], or both in one output [N, 384, 2]"
    raise unfit("bert", wanted, outputs, "outputs")


def _tokens_fact(fixed: bool, asked: bool) -> str:
    if fixed:
        return f"{_TOKENS}, fixed by the model"
    return f"{_TOKENS}, as asked" if asked else f"the longest of its batch, in steps of {_STEP}"


def _pad(options: Mapping[str, str]) -> str:
    pad = options.get("pad", "batch")
    if pad not in ("batch", str(_TOKENS)):
        raise UsageError(f"Option pad={pad} is neither batch nor {_TOKENS}.")
    return pad
