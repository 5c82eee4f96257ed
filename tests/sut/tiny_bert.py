"""A BERT of a few kilobytes in the embedded one's files, and BERT again in plain NumPy.

The reference shares nothing with the code under test: it reads the named arrays themselves and
computes in float64.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf

HIDDEN, HEADS, LAYERS, WIDE, WORDS, POSITIONS, RANK = 16, 2, 2, 32, 50, 384, 2
Named = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class TinyBert:
    """The two files, and the arrays that must come out of them."""

    base: Path
    update: Path
    named: Named


def make(folder: Path, seed: int = 0) -> TinyBert:
    """Write ``base.safetensors`` and ``update.npz`` with random arrays into ``folder``."""
    random = np.random.default_rng(seed)
    base = {name: _random(random, name, shape) for name, shape in _shapes().items()}
    update: Named = {}
    named: Named = dict(base)
    for name, array in base.items():
        if name.startswith("encoder") and array.ndim == 2:
            a = random.normal(0, 0.3, (array.shape[0], RANK)).astype(np.float16)
            b = random.normal(0, 0.3, (RANK, array.shape[1])).astype(np.float16)
            update |= {f"{name}.lora_A": a, f"{name}.lora_B": b}
            named[name] = array + a.astype(np.float32) @ b.astype(np.float32)
        elif name.startswith("encoder"):
            update[name] = _random(random, name, array.shape).astype(np.float16)
            named[name] = update[name].astype(np.float32)
    head = {"qa.w": _random(random, "", (HIDDEN, 2)), "qa.b": _random(random, "", (2,))}
    write_safetensors(folder / "base.safetensors", base)
    np.savez(folder / "update.npz", **update, **head)  # type: ignore[arg-type]
    return TinyBert(folder / "base.safetensors", folder / "update.npz", named | head)


def _random(random: np.random.Generator, name: str, shape: tuple[int, ...]) -> NDArray[np.float32]:
    centre = 1.0 if name.endswith("LayerNorm.weight") else 0.0
    return random.normal(centre, 0.3, shape).astype(np.float32)


def _shapes() -> dict[str, tuple[int, ...]]:
    embeddings = {"word": WORDS, "position": POSITIONS, "token_type": 2}
    shapes: dict[str, tuple[int, ...]] = {
        f"embeddings.{name}_embeddings.weight": (rows, HIDDEN) for name, rows in embeddings.items()
    }
    norms = ["embeddings"]
    for layer in (f"encoder.layer.{index}" for index in range(LAYERS)):
        linear = {f"attention.self.{part}": (HIDDEN, HIDDEN) for part in ("query", "key", "value")}
        linear |= {"attention.output.dense": (HIDDEN, HIDDEN)}
        linear |= {"intermediate.dense": (WIDE, HIDDEN), "output.dense": (HIDDEN, WIDE)}
        for name, shape in linear.items():
            shapes |= {f"{layer}.{name}.weight": shape, f"{layer}.{name}.bias": shape[:1]}
        norms += [f"{layer}.attention.output", f"{layer}.output"]
    for name in norms:
        shapes |= {f"{name}.LayerNorm.{part}": (HIDDEN,) for part in ("weight", "bias")}
    return shapes


def write_safetensors(path: Path, arrays: Mapping[str, NDArray[np.float32]]) -> None:
    """Write float32 ``arrays`` in the safetensors format."""
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    data = b""
    for name, array in arrays.items():
        offsets = [len(data), len(data) + array.nbytes]
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": offsets}
        data += array.tobytes()
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


@dataclass(frozen=True)
class Batch:
    """Token ids, mask (1 for a token) and segments, each int64 [N,S]."""

    input_ids: NDArray[np.int64]
    input_mask: NDArray[np.int64]
    segment_ids: NDArray[np.int64]

    def padded(self, length: int) -> Batch:
        """The same tokens with padding up to ``length``."""
        wider = ((0, 0), (0, length - self.input_ids.shape[1]))
        return Batch(*(np.pad(array, wider) for array in vars(self).values()))

    def feeds(self, dtype: type[np.integer[Any]]) -> dict[str, NDArray[Any]]:
        return {name: array.astype(dtype) for name, array in vars(self).items()}


def batch(lengths: list[int], *, words: int = WORDS, seed: int = 1) -> Batch:
    """Random sequences of these lengths, padded to the longest."""
    random = np.random.default_rng(seed)
    mask = (np.arange(max(lengths)) < np.array(lengths)[:, None]).astype(np.int64)
    ids = random.integers(1, words, mask.shape) * mask
    segments = (np.arange(max(lengths)) >= np.array(lengths)[:, None] // 3) * mask
    return Batch(ids, mask, segments)


def reference(named: Named, tokens: Batch) -> NDArray[np.float64]:
    """Start and end logits, float64 [N,S,2]."""
    x = named["embeddings.word_embeddings.weight"][tokens.input_ids].astype(np.float64)
    x = x + named["embeddings.token_type_embeddings.weight"][tokens.segment_ids]
    x = x + named["embeddings.position_embeddings.weight"][: x.shape[1]]
    x = _norm(named, "embeddings", x)
    for index in range(LAYERS):
        layer = f"encoder.layer.{index}"
        attended = _attention(named, f"{layer}.attention.self", x, tokens.input_mask)
        attended = _linear(named, f"{layer}.attention.output.dense", attended)
        x = _norm(named, f"{layer}.attention.output", x + attended)
        wide = _linear(named, f"{layer}.intermediate.dense", x)
        wide = wide * (1 + erf(wide / np.sqrt(2))) / 2
        x = _norm(named, f"{layer}.output", x + _linear(named, f"{layer}.output.dense", wide))
    logits: NDArray[np.float64] = x @ named["qa.w"] + named["qa.b"]
    return logits


def _linear(named: Named, name: str, x: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(x @ named[f"{name}.weight"].T.astype(np.float64) + named[f"{name}.bias"])


def _norm(named: Named, name: str, x: NDArray[Any]) -> NDArray[Any]:
    centred = x - x.mean(-1, keepdims=True)
    standard = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
    scaled = standard * named[f"{name}.LayerNorm.weight"]
    return np.asarray(scaled + named[f"{name}.LayerNorm.bias"])


def _attention(named: Named, name: str, x: NDArray[Any], mask: NDArray[np.int64]) -> NDArray[Any]:
    query, key, value = (
        _linear(named, f"{name}.{part}", x).reshape(*x.shape[:2], HEADS, -1)
        for part in ("query", "key", "value")
    )
    scores = np.einsum("nqhd,nkhd->nhqk", query, key) / np.sqrt(HIDDEN // HEADS)
    scores = np.where(mask[:, None, None, :] == 1, scores, -np.inf)
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    shares /= shares.sum(-1, keepdims=True)
    return np.asarray(np.einsum("nhqk,nkhd->nqhd", shares, value).reshape(x.shape))
