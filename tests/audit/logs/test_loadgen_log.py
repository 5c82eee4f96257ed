"""The detail log as it really is."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.logs.loadgen_log import DetailLog, read_detail
from datasets.errors import EvidenceError
from tests.audit.written_logs import detail, line, performance


def read(path: Path, content: str | bytes) -> DetailLog:
    file = path / "mlperf_log_detail.txt"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_detail(file, "log")


def rule_ids(log: DetailLog) -> list[str]:
    return [found.rule for found in log.problems]


WHOLE = detail(performance("Server"))


def test_values_have_their_types(tmp_path: Path) -> None:
    log = read(tmp_path, WHOLE)
    assert log.problems == ()
    assert log.value("effective_scenario") == "Server"
    assert log.value("effective_qsl_rng_seed") == 2085463073848966840
    assert log.value("early_stopping_met") is True
    assert log.number("result_completed_samples_per_sec") == 79.9
    assert log.number("early_stopping_met") is None
    assert log.value("no_such_key") is None
    assert log.place("effective_scenario") == "log:2"


@pytest.mark.parametrize(
    "content",
    [
        WHOLE.replace("\n", "\r\n"),
        WHOLE.replace("\n", "\n\n"),
        "\ufeff" + WHOLE,
        "W0714 onnxruntime: fallback\n" + WHOLE + "done.\n",
        WHOLE.replace(":::MLLOG", "I 10:51:44 worker] :::MLLOG"),
        WHOLE.rstrip("\n"),
    ],
    ids=["crlf", "blank", "bom", "foreign", "prefixed", "no-final-newline"],
)
def test_odd_but_whole_logs_read_alike(tmp_path: Path, content: str | bytes) -> None:
    log = read(tmp_path, content)
    plain = read(tmp_path, WHOLE)
    assert log.problems == ()
    assert {key: log.value(key) for key in log.entries} == {
        key: plain.value(key) for key in plain.entries
    }


def test_a_cut_log_says_so_and_keeps_the_rest(tmp_path: Path) -> None:
    log = read(tmp_path, WHOLE[:-40])
    assert rule_ids(log) == ["log.cut"]
    assert log.value("effective_scenario") == "Server"


def test_a_mangled_line_is_named(tmp_path: Path) -> None:
    log = read(
        tmp_path, WHOLE.replace('"effective_scenario", "value":', '"effective_scenario",', 1)
    )
    assert rule_ids(log) == ["log.malformed"]
    assert log.problems[0].where == "log:2"


def test_error_and_warning_lines(tmp_path: Path) -> None:
    more = line("error_runtime", "it broke", is_error=True) + line("note", "hm", is_warning=True)
    log = read(tmp_path, WHOLE + more)
    assert [(entry.key, entry.value) for entry in log.errors] == [("error_runtime", "it broke")]
    assert [entry.key for entry in log.warnings] == ["note"]


def test_one_key_with_two_values_is_a_contradiction(tmp_path: Path) -> None:
    log = read(tmp_path, WHOLE + line("result_validity", "INVALID"))
    (problem,) = log.problems
    assert problem.rule == "log.contradiction"
    assert "INVALID, but line" in problem.sentence


def test_a_key_that_says_the_same_twice_is_fine(tmp_path: Path) -> None:
    assert read(tmp_path, WHOLE + line("result_validity", "VALID")).problems == ()


def test_samples_may_be_loaded_in_several_sets(tmp_path: Path) -> None:
    again = line("power_begin", "11-30-2026 23:20:00.000") + line("generic_message", "again")
    assert read(tmp_path, WHOLE + again).problems == ()


@pytest.mark.parametrize("written", ["NaN", "nan", "-nan", "Infinity", "-Infinity", "inf", "-inf"])
def test_values_that_are_no_numbers_are_named_and_never_used(tmp_path: Path, written: str) -> None:
    log = read(tmp_path, WHOLE.replace('"value": 79.9', f'"value": {written}'))
    assert rule_ids(log) == ["log.not_finite"]
    assert log.number("result_completed_samples_per_sec") is None
    assert not math.isfinite(log.value("result_completed_samples_per_sec"))


def test_bytes_that_are_no_text_are_a_warning(tmp_path: Path) -> None:
    log = read(tmp_path, b"\xff\xfa\x01\n" + WHOLE.encode())
    assert [(found.rule, found.severity) for found in log.problems] == [("log.encoding", "warning")]
    assert log.value("effective_scenario") == "Server"


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        (WHOLE.encode("utf-16"), "log.foreign_encoding"),
        (b"\0\0" + WHOLE.encode(), "log.nul"),
        (WHOLE.encode() + b"\0" * 64, "log.nul"),
    ],
)
def test_what_loadgen_never_writes_is_a_warning_and_read_all_the_same(
    tmp_path: Path, content: bytes, rule: str
) -> None:
    log = read(tmp_path, content)
    assert [(found.rule, found.severity) for found in log.problems] == [(rule, "warning")]
    plain = read(tmp_path, WHOLE)
    assert {key: log.value(key) for key in log.entries} == {
        key: plain.value(key) for key in plain.entries
    }


@pytest.mark.parametrize("content", ["", "\n\n", "no line of LoadGen's\n"])
def test_a_log_without_entries_is_empty(tmp_path: Path, content: str) -> None:
    assert rule_ids(read(tmp_path, content)) == ["log.empty"]


def test_long_lists_stay_text(tmp_path: Path) -> None:
    assert read(tmp_path, line("loaded_qsl_set", [1, 5, 13])).value("loaded_qsl_set") == (
        "[1, 5, 13]"
    )


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(EvidenceError, match="can't be read: No such file"):
        read_detail(tmp_path / "absent.txt")


@settings(max_examples=150)
@given(
    start=st.integers(0, len(WHOLE)),
    length=st.integers(0, 200),
    junk=st.binary(max_size=30),
)
def test_no_damage_raises(
    tmp_path_factory: pytest.TempPathFactory, start: int, length: int, junk: bytes
) -> None:
    folder = tmp_path_factory.getbasetemp()
    raw = WHOLE.encode()
    log = read(folder, raw[:start] + junk + raw[start + length :])
    assert isinstance(log.problems, tuple)
