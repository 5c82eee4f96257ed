"""Preparing the features of a whole SQuAD file once, into a store."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

from datasets.errors import UsageError
from datasets.questions.features import DEFINITION, MAX_SEQ_LENGTH, Features, read_features
from datasets.questions.squad import SquadSet
from datasets.questions.wordpiece import Vocabulary
from datasets.samples.prepared import Prepared, Progress
from datasets.samples.store import ArraySpec, Recipe, RowWriter, obtain

TOKEN_ARRAYS = ("input_ids", "input_mask", "segment_ids")
DTYPES = ("int64", "int32")
_BLOCK = 1024


def prepare_features(
    squad: SquadSet,
    vocab: Path,
    dtype: str,
    cache: Path,
    progress: Progress | None = None,
) -> Prepared:
    """``input_ids``, ``input_mask``, ``segment_ids`` [N, 384] of ``dtype`` (int64 or int32) and
    ``length`` int64 [N], made once for a file, a vocabulary and a version of the tokenizer."""
    if dtype not in DTYPES:
        raise UsageError(f"Token ids can't be {dtype!r}: use {' or '.join(DTYPES)}.")
    vocabulary = Vocabulary(vocab)
    parts = (DEFINITION, dtype, version("tokenizers"), squad.sha256, vocabulary.sha256)
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()

    folder = cache / "prepared" / f"{squad.name}-{key[:24]}"
    return obtain(folder, lambda: _recipe(read_features(squad, vocabulary), dtype, key, progress))


def _recipe(features: Features, dtype: str, key: str, progress: Progress | None) -> Recipe:
    def fill(writers: Mapping[str, RowWriter]) -> str:
        _write(features, dtype, writers, progress)
        return key

    count = len(features)
    specs = [ArraySpec(name, dtype, (count, MAX_SEQ_LENGTH)) for name in TOKEN_ARRAYS]
    return Recipe([*specs, ArraySpec("length", "int64", (count,))], fill)


def _write(
    features: Features, dtype: str, writers: Mapping[str, RowWriter], progress: Progress | None
) -> None:
    tokens = (features.input_ids, features.input_mask, features.segment_ids)
    writers["length"].write(0, features.length)
    for first in range(0, len(features), _BLOCK):
        for name, array in zip(TOKEN_ARRAYS, tokens, strict=True):
            writers[name].write(first, array[first : first + _BLOCK].astype(dtype))
        if progress is not None:
            progress(min(first + _BLOCK, len(features)), len(features))
