"""The accuracy log, read strictly."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.logs.accuracy_log import (
    AccuracyRecord,
    by_sample,
    conflict,
    read_accuracy_log,
    visible_answers,
)
from datasets.errors import EvidenceError
from tests.audit.written_logs import accuracy_log

WHOLE = accuracy_log([(3, b"\x00\x00\x10\x41"), (1, b"\x00\x00\xa0\x40"), (2, b"")])


def read(folder: Path, content: str) -> tuple[AccuracyRecord, ...]:
    path = folder / "mlperf_log_accuracy.json"
    path.write_text(content, encoding="utf-8", newline="")
    return read_accuracy_log(path, "log")


def test_records_carry_index_bytes_and_line(tmp_path: Path) -> None:
    assert read(tmp_path, WHOLE) == (
        AccuracyRecord(0, 3, b"\x00\x00\x10\x41", 2),
        AccuracyRecord(1, 1, b"\x00\x00\xa0\x40", 3),
        AccuracyRecord(2, 2, b"", 4),
    )


@pytest.mark.parametrize(
    "content",
    [WHOLE.replace("\n", "\r\n"), "\ufeff" + WHOLE, WHOLE.replace("\n", "\n\n"), WHOLE.rstrip()],
    ids=["crlf", "bom", "blank", "no-final-newline"],
)
def test_odd_but_whole_logs_read_alike(tmp_path: Path, content: str) -> None:
    plain = [(one.seq_id, one.qsl_idx, one.data) for one in read(tmp_path, WHOLE)]
    assert [(one.seq_id, one.qsl_idx, one.data) for one in read(tmp_path, content)] == plain


def test_other_spacing_is_read(tmp_path: Path) -> None:
    assert read(tmp_path, '[\n{"seq_id":0,"qsl_idx":7,"data":"0a"}\n]\n') == (
        AccuracyRecord(0, 7, b"\x0a", 2),
    )


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "log is empty"),
        ("[\n]\n", "holds no answers"),
        (WHOLE[: WHOLE.index("\n]")], r'log:4 ends with .* instead of "\]".*cut'),
        (WHOLE[:60], "log:3 ends with"),
        (WHOLE.removeprefix("["), 'log:2 starts with .* instead of "\\["'),
        (WHOLE.replace("00001041", "0000A41"), "log:2 answers sample 3 .*0000A41.*whole bytes"),
        (WHOLE.replace("00001041", "0000XX41"), "log:2 is not an answer|log:2 answers sample 3"),
        (WHOLE.replace('"seq_id" : 1', '"seq_id" : 0'), "log:3 repeats seq_id 0 of line 2"),
        (WHOLE.replace('"qsl_idx" : 1', '"qsl_idx" : -1'), "log:3 is not an answer"),
        (WHOLE.replace('"qsl_idx" : 1,', ""), "log:3 is not an answer"),
        (WHOLE.replace(" },\n", " }\n"), "log:2 has a comma too many or too few"),
        (WHOLE.replace("\n]", "\nnull\n]"), "log:4 has a comma|log:5 is not an answer"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, content: str, complaint: str) -> None:
    with pytest.raises(EvidenceError, match=complaint):
        read(tmp_path, content)


def test_repeated_samples_are_kept_together_and_compared(tmp_path: Path) -> None:
    log = accuracy_log([(0, b"a"), (1, b"b"), (0, b"a"), (1, b"c")])
    answers = by_sample(read(tmp_path, log))
    assert conflict(answers[0]) is None
    assert conflict(answers[1]) == AccuracyRecord(3, 1, b"c", 5)


@given(answers=st.lists(st.tuples(st.integers(0, 10**6), st.binary(max_size=16)), min_size=1))
def test_what_loadgen_writes_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, answers: list[tuple[int, bytes]]
) -> None:
    records = read(tmp_path_factory.getbasetemp(), accuracy_log(answers))
    assert [(one.qsl_idx, one.data) for one in records] == answers


@given(cut=st.integers(0, len(WHOLE) - 2))
def test_no_cut_log_is_accepted(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    with pytest.raises(EvidenceError):
        read(tmp_path_factory.getbasetemp(), WHOLE[:cut])


@given(start=st.integers(0, len(WHOLE)), length=st.integers(0, 60))
def test_a_cut_log_shows_the_answers_that_are_whole(start: int, length: int) -> None:
    raw = (WHOLE[:start] + WHOLE[start + length :]).encode()
    answers = visible_answers(raw)
    whole = {line for line in WHOLE.splitlines() if line in raw.decode().splitlines()}
    assert len(answers) >= sum('"seq_id"' in line for line in whole)
    for sample, answer in answers:
        assert f'"qsl_idx" : {sample}, "data" : "{answer.hex().upper()}"'.encode() in raw
