"""The weights of the embedded BERT: a published sentence encoder plus a shipped low-rank update.

They are the same bits on every machine. The update's factors are float16, so each product of two
is a multiple of 2^-48 and, while the sums stay under 2^5, float64 adds them without rounding: the
order in which a matrix product adds them, and fused multiply-add, make no difference.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.errors import ModelError
from sut.embedded.safetensors import read_tensors

Array = NDArray[np.float32]
Named = Mapping[str, Array]


@dataclass(frozen=True)
class Dense:
    """An affine layer: y = x @ kernel + bias, kernel [in, out], bias [out]."""

    kernel: Array
    bias: Array


@dataclass(frozen=True)
class Norm:
    """A layer normalisation over the last axis: scale and shift, both [hidden]."""

    scale: Array
    shift: Array


@dataclass(frozen=True)
class Layer:
    """One encoder layer, in the order in which its parts are applied."""

    query: Dense
    key: Dense
    value: Dense
    attention_output: Dense
    attention_norm: Norm
    intermediate: Dense
    output: Dense
    output_norm: Norm


@dataclass(frozen=True)
class BertWeights:
    """A BERT that answers questions: ``answer`` gives start and end logits a token."""

    heads: int
    words: Array
    """[vocabulary, hidden]"""
    positions: Array
    """[longest sequence, hidden]"""
    segments: Array
    """[2, hidden]"""
    norm: Norm
    layers: tuple[Layer, ...]
    answer: Dense
    sha256: str
    """Over the name, shape and little-endian float32 bytes of every array, sorted by name."""

    @property
    def hidden(self) -> int:
        return int(self.words.shape[1])


def read_weights(base: Path, update: Path, heads: int) -> BertWeights:
    """``base`` (safetensors) with ``update`` (npz) applied.

    For ``NAME.lora_A`` [out,r] and ``NAME.lora_B`` [r,in] of the update, NAME becomes
    base + A @ B, the product rounded once to float32; other arrays of the update replace or extend
    the base's. Raises ModelError where an array of a BERT with an answer layer is missing.
    """
    try:
        with np.load(update) as arrays:
            return _assemble(_effective(read_tensors(base), dict(arrays)), heads)
    except (KeyError, ValueError) as error:
        raise ModelError(
            f"{base} is not the base of the embedded BERT: an array is missing or has another "
            f"shape ({error}); fetch it again."
        ) from error


def _effective(base: Mapping[str, NDArray[Any]], update: Mapping[str, NDArray[Any]]) -> Named:
    named = {name: array for name, array in base.items() if _is_used(name)}
    for name, array in update.items():
        target, _, part = name.rpartition(".")
        if part == "lora_A":
            product = array.astype(np.float64) @ update[f"{target}.lora_B"].astype(np.float64)
            named[target] = base[target] + product.astype(np.float32)
        elif part != "lora_B":
            named[name] = array.astype(np.float32)
    return named


def _is_used(name: str) -> bool:
    return not name.startswith("pooler.") and not name.endswith(".position_ids")


def _assemble(named: Named, heads: int) -> BertWeights:
    prefixes = {name.split(".attention.")[0] for name in named if ".attention." in name}
    layers = (_layer(named, f"encoder.layer.{index}") for index in range(len(prefixes)))
    return BertWeights(
        heads=heads,
        words=named["embeddings.word_embeddings.weight"],
        positions=named["embeddings.position_embeddings.weight"],
        segments=named["embeddings.token_type_embeddings.weight"],
        norm=_norm(named, "embeddings.LayerNorm"),
        layers=tuple(layers),
        answer=Dense(named["qa.w"], named["qa.b"]),
        sha256=_sha256(named),
    )


def _layer(named: Named, prefix: str) -> Layer:
    return Layer(
        query=_dense(named, f"{prefix}.attention.self.query"),
        key=_dense(named, f"{prefix}.attention.self.key"),
        value=_dense(named, f"{prefix}.attention.self.value"),
        attention_output=_dense(named, f"{prefix}.attention.output.dense"),
        attention_norm=_norm(named, f"{prefix}.attention.output.LayerNorm"),
        intermediate=_dense(named, f"{prefix}.intermediate.dense"),
        output=_dense(named, f"{prefix}.output.dense"),
        output_norm=_norm(named, f"{prefix}.output.LayerNorm"),
    )


def _dense(named: Named, name: str) -> Dense:
    return Dense(np.ascontiguousarray(named[f"{name}.weight"].T), named[f"{name}.bias"])


def _norm(named: Named, name: str) -> Norm:
    return Norm(named[f"{name}.weight"], named[f"{name}.bias"])


def _sha256(named: Named) -> str:
    digest = hashlib.sha256()
    for name in sorted(named):
        array = np.ascontiguousarray(named[name], dtype="<f4")
        digest.update(f"{name}{array.shape}".encode())
        digest.update(array.data)
    return digest.hexdigest()
