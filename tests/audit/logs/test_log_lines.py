"""Ordinary lines are recognised at once; they read as they would one by one."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from audit.logs.log_entry import Entry
from audit.logs.log_lines import Lines, read_lines
from tests.audit.written_logs import detail, line, performance

WHOLE = detail(performance("Offline"))
VALUES = st.one_of(
    st.booleans(),
    st.none(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(['", "time_ms": 1.0, "', "\\", '"', "a\u2028b", "x" * 200 + "\\"]),
    st.lists(st.integers(), max_size=3),
)
LINES = st.one_of(
    st.tuples(st.sampled_from(["result_validity", "x", "é"]), VALUES, st.booleans()).map(
        lambda one: line(one[0], one[1], is_error=one[2])
    ),
    st.sampled_from(["\n", "of another library\n", ":::MLLOG\n", ":::MLLOG {}\n", " \r\n"]),
    st.text(max_size=12).map(lambda text: f"{text}\n"),
)


def one_by_one(text: str) -> Lines:
    """What the lines hold where none of them begins as an ordinary one does."""
    return read_lines("\n".join(f"- {one}" for one in text.split("\n")))


def content(lines: Lines) -> tuple[object, ...]:
    unread = [(one.line, one.text.removeprefix("- "), one.ended) for one in lines.unread]
    return repr(dict(lines.entries)), list(lines.entries), unread


@settings(max_examples=60)
@given(st.lists(LINES, max_size=8).map("".join), st.integers(0, 40))
@example(WHOLE, 0)
@example(WHOLE.replace("\n", "\r\n"), 0)
@example(WHOLE.replace('"value": 109.5', '"value": 1e999'), 0)
@example(WHOLE.replace('"value": 109.5', '"value": 0109.5'), 0)
@example(WHOLE.replace('"value": 109.5', f'"value": {"9" * 5000}'), 0)
def test_a_line_reads_alike_alone_and_among_others(text: str, cut: int) -> None:
    text = text[: len(text) - cut]
    assert content(read_lines(text)) == content(one_by_one(text))


def test_errors_and_warnings_are_peculiar() -> None:
    text = WHOLE + line("error", "it\\broke", is_error=True) + line("note", 1, is_warning=True)
    assert [(one.key, one.line) for one in read_lines(text).peculiar] == [
        ("error", WHOLE.count("\n") + 1),
        ("note", WHOLE.count("\n") + 2),
    ]


@pytest.mark.parametrize("value", ["plain", 'a "quoted" \\ word', 5, 1.5, -3, True, False])
def test_a_value_is_what_was_logged(value: object) -> None:
    (found,) = read_lines(line("key", value)).entries["key"]
    assert found == Entry("key", value, 1, is_error=False, is_warning=False)


def test_a_list_stays_text() -> None:
    assert read_lines(line("key", [1, 2])).entries["key"][0].value == json.dumps([1, 2])


def test_keys_that_repeat_are_told_by_their_beginning() -> None:
    text = line("result_a", 1) + line("b", 1) + line("b", 2) + line("result_a", 2)
    (found,) = read_lines(text).entries.repeated(("result_",))
    assert [(one.value, one.line) for one in found] == [(1, 1), (2, 4)]


def test_two_halves_of_lines_are_never_taken_for_one() -> None:
    head, tail = line("first", 1).split("results.cc")
    text = f"{line('a', 1)}{head}\n{tail}{line('b', 2)}"
    lines = read_lines(text)
    assert [(one.line, one.ended) for one in lines.unread] == [(2, True)]
    assert {key: found[0].line for key, found in lines.entries.items()} == {"a": 1, "b": 4}
