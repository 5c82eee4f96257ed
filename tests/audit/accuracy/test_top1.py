"""Top-1: every type of label, and everything that is none."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.accuracy.top1 import Shift, score_top1
from audit.logs.accuracy_log import AccuracyRecord
from datasets.errors import EvidenceError

FORMS = {"float32": "<f", "int32": "<i", "int64": "<q"}
TRUTH = [3 * index for index in range(8)]


def records(answers: Sequence[tuple[int, bytes]]) -> list[AccuracyRecord]:
    return [
        AccuracyRecord(number, index, data, number + 2)
        for number, (index, data) in enumerate(answers)
    ]


def labels(dtype: str, values: Sequence[float]) -> list[AccuracyRecord]:
    return records(
        [
            (index, struct.pack(FORMS[dtype], value if dtype == "float32" else int(value)))
            for index, value in enumerate(values)
        ]
    )


@pytest.mark.parametrize("dtype", FORMS)
def test_labels_of_each_type_are_scored_and_named(dtype: str) -> None:
    score = score_top1(labels(dtype, TRUTH), TRUTH)
    assert (score.correct, score.total, score.percent, score.dtype) == (8, 8, 100.0, dtype)


@given(
    dtype=st.sampled_from(sorted(FORMS)),
    pairs=st.lists(st.tuples(st.integers(0, 999), st.integers(0, 999)), min_size=1, max_size=40),
)
def test_any_labels_are_counted(dtype: str, pairs: list[tuple[int, int]]) -> None:
    logged, truth = [one for one, _ in pairs], [other for _, other in pairs]
    score = score_top1(labels(dtype, logged), truth)
    assert score.correct == sum(one == other for one, other in pairs)


def spoiled(index: int, data: bytes) -> list[AccuracyRecord]:
    good = labels("float32", TRUTH)
    good[index] = AccuracyRecord(index, index, data, index + 2)
    return good


@pytest.mark.parametrize(
    ("logged", "complaint"),
    [
        (spoiled(3, b""), r"Sample 3 \(line 5\) has an empty answer"),
        (spoiled(3, bytes.fromhex("0000C07F")), r"Sample 3 \(line 5\) is answered with nan"),
        (spoiled(3, b"\x41"), r"Sample 3 \(line 5\) is answered with 1 bytes instead of 4"),
        (spoiled(3, struct.pack("<f", 2.5)), r"Sample 3 .* 2\.5 as float32"),
        (spoiled(3, struct.pack("<f", 5000)), r"Sample 3 .* 5000\.0 as float32"),
        (
            [*labels("float32", TRUTH), AccuracyRecord(8, 8, b"\0\0\0\0", 10)],
            "Line 10 answers sample 8, but the dataset has 8 samples",
        ),
        (labels("float32", TRUTH)[:4], "Only 4 of 8 samples are answered, sample 4 is the first"),
        (
            [*labels("float32", TRUTH), AccuracyRecord(8, 2, struct.pack("<f", 7), 10)],
            "Line 10 answers sample 2 otherwise than line 4",
        ),
        (records([(index, b"12345") for index in range(8)]), "Sample 0 .* 5 bytes; a label has"),
    ],
)
def test_what_is_no_label_is_named(logged: list[AccuracyRecord], complaint: str) -> None:
    with pytest.raises(EvidenceError, match=complaint):
        score_top1(logged, TRUTH)


def test_a_sample_sent_twice_counts_once() -> None:
    again = AccuracyRecord(8, 2, struct.pack("<f", 6), 10)
    score = score_top1([*labels("float32", TRUTH), again], TRUTH)
    assert (score.correct, score.total, score.repeats) == (8, 8, 1)


@pytest.mark.parametrize("offset", [1, -1])
def test_a_constant_offset_is_recognised(offset: int) -> None:
    logged = labels("int32", [label + offset for label in TRUTH])
    score = score_top1(logged, TRUTH)
    assert (score.correct, score.shift) == (0, Shift(offset, 8))


def test_a_stated_type_is_believed_and_checked() -> None:
    assert score_top1(labels("int32", [0] * 8), [0] * 8, dtype="int32").dtype == "int32"
    with pytest.raises(EvidenceError, match="as float32"):
        score_top1(labels("int32", TRUTH), TRUTH, dtype="float32")
    with pytest.raises(EvidenceError, match="'int8'"):
        score_top1(labels("int32", TRUTH), TRUTH, dtype="int8")
