"""BERT's logged answers: start and end logits, interleaved, one pair a token.

The reference logs float32 for all 384 tokens; other harnesses log float16, and only as many tokens
as the sample has. Bytes alone don't tell float16 for 2 n tokens from float32 for n, so the type is
found over all answers together: it must fit the sizes, the known token counts, and values that
logits can have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.logs.accuracy_log import AccuracyRecord, by_sample, conflict
from datasets.errors import EvidenceError

DTYPES = ("float32", "float16")
"""In the order of preference, should both fit."""
MAX_TOKENS = 384

_LARGEST_LOGIT = 20_000.0
"""Harnesses that pad use -10,000; no model's logits come near it."""


@dataclass(frozen=True)
class SpanLogits:
    """Decoded answers."""

    logits: Mapping[int, NDArray[np.float32]]
    """By sample index: [length, 2], start then end."""
    dtype: str
    repeats_that_differ: tuple[int, ...]
    """Samples whose repeated answer has other bytes; the first answer was taken."""


def decode_spans(
    records: Sequence[AccuracyRecord],
    tokens: Sequence[int] | None = None,
    dtype: str | None = None,
) -> SpanLogits:
    """Decode all answers of a log.

    ``tokens`` are the token counts of the samples by index, where known; ``dtype`` states the type
    instead of finding it. EvidenceError names the sample where an answer is no list of pairs,
    is longer than 384 tokens or shorter than its sample, or holds values that are no logits.
    """
    answers = by_sample(records)
    first = [found[0] for found in answers.values()]
    name = dtype or _detect(first, tokens)
    if name not in DTYPES:
        raise EvidenceError(f"Logits are of type {' or '.join(DTYPES)}, not {name!r}.")
    for record in first:
        problem = _misfit(record, name, tokens)
        if problem:
            raise EvidenceError(
                f"Sample {record.qsl_idx} (line {record.line}) is answered with {problem}."
            )
    return SpanLogits(
        logits={record.qsl_idx: _values(record, name).astype(np.float32) for record in first},
        dtype=name,
        repeats_that_differ=tuple(
            index for index, found in answers.items() if conflict(found) is not None
        ),
    )


def _detect(records: Sequence[AccuracyRecord], tokens: Sequence[int] | None) -> str:
    """The type that fits most answers."""
    return max(
        DTYPES, key=lambda name: sum(not _misfit(record, name, tokens) for record in records)
    )


def _misfit(record: AccuracyRecord, dtype: str, tokens: Sequence[int] | None) -> str:
    """Why the answer can't be logits of type ``dtype``; empty if it can."""
    pair = 2 * np.dtype(dtype).itemsize
    length, rest = divmod(len(record.data), pair)
    if rest or not length:
        return f"{len(record.data)} bytes, which are no pairs of {dtype}"
    if length > MAX_TOKENS:
        return f"{length} pairs of {dtype}, but a sample has at most {MAX_TOKENS} tokens"
    if tokens is not None and length < tokens[record.qsl_idx]:
        return f"{length} pairs of {dtype}, but it has {tokens[record.qsl_idx]} tokens"
    with np.errstate(invalid="ignore"):
        values = _values(record, dtype)
        plausible = np.abs(values.astype(np.float64)) <= _LARGEST_LOGIT
    if not plausible.all():
        return f"{values[~plausible][0]} among its {dtype} values, which is no logit"
    return ""


def _values(record: AccuracyRecord, dtype: str) -> NDArray[Any]:
    values = np.frombuffer(record.data, np.dtype(dtype).newbyteorder("<"))
    return values.reshape(-1, 2)
