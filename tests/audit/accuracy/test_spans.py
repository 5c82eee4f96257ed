"""BERT's logged logits: float32 and float16, any length."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from audit.accuracy.spans import decode_spans
from audit.logs.accuracy_log import AccuracyRecord
from datasets.errors import EvidenceError


def logits(length: int, dtype: str, seed: int = 0) -> NDArray[Any]:
    return np.random.default_rng(seed).normal(-5, 3, (length, 2)).astype(dtype)


def record(index: int, data: bytes) -> AccuracyRecord:
    return AccuracyRecord(index, index, data, index + 2)


@given(
    dtype=st.sampled_from(["float32", "float16"]),
    lengths=st.lists(st.integers(4, 384), min_size=3, max_size=8),
    known=st.booleans(),
)
def test_type_and_values_come_back(dtype: str, lengths: list[int], known: bool) -> None:
    logged = [logits(length, dtype, seed) for seed, length in enumerate(lengths)]
    records = [record(index, one.tobytes()) for index, one in enumerate(logged)]
    decoded = decode_spans(records, lengths if known else None)
    assert decoded.dtype == dtype
    for index, one in enumerate(logged):
        np.testing.assert_array_equal(decoded.logits[index], one.astype(np.float32))


@pytest.mark.parametrize("length", [100, 384])
def test_trimmed_and_full_answers_are_read(length: int) -> None:
    decoded = decode_spans([record(0, logits(length, "float32").tobytes())], [100])
    assert decoded.logits[0].shape == (length, 2)


def test_padding_of_other_harnesses_is_a_logit() -> None:
    padded = np.full((384, 2), -10000, np.float16)
    padded[:50] = logits(50, "float16")
    assert decode_spans([record(0, padded.tobytes())], [50]).dtype == "float16"


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (logits(385, "float32").tobytes(), "Sample 1 (line 3) is answered with 385 pairs"),
        (b"", "Sample 1 (line 3) is answered with 0 bytes, which are no pairs of float32"),
        (b"\0" * 12, "Sample 1 (line 3) is answered with 12 bytes, which are no pairs of float32"),
        (logits(4, "float32").tobytes(), "answered with 4 pairs of float32, but it has 20 tokens"),
        (
            np.full((20, 2), np.nan, np.float32).tobytes(),
            "answered with nan among its float32 values",
        ),
    ],
)
def test_what_can_be_no_answer_is_named(data: bytes, complaint: str) -> None:
    good = logits(20, "float32").tobytes()
    records = [record(0, good), record(1, data), record(2, good)]
    with pytest.raises(EvidenceError, match=re.escape(complaint)):
        decode_spans(records, [20, 20, 20])


def test_repeats_that_differ_are_told_and_the_first_counts() -> None:
    first, second = logits(20, "float32", 1), logits(20, "float32", 2)
    records = [
        AccuracyRecord(0, 0, first.tobytes(), 2),
        AccuracyRecord(1, 1, first.tobytes(), 3),
        AccuracyRecord(2, 0, second.tobytes(), 4),
        AccuracyRecord(3, 1, first.tobytes(), 5),
    ]
    decoded = decode_spans(records)
    assert decoded.repeats_that_differ == (0,)
    np.testing.assert_array_equal(decoded.logits[0], first)


def test_a_stated_type_must_be_one_of_two() -> None:
    with pytest.raises(EvidenceError, match="'bfloat16'"):
        decode_spans([record(0, logits(4, "float32").tobytes())], dtype="bfloat16")
