"""Sentences on a terminal: whole words, lists that stay lists, and commands to copy."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.report.sentences import sentences

WORD = st.text(st.characters(codec="ascii", categories=("L", "N", "P")), min_size=1, max_size=12)


@given(st.lists(WORD, min_size=1, max_size=40), st.integers(20, 120))
def test_no_line_is_wider_than_the_terminal_and_no_word_is_broken(
    words: list[str], columns: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "COLUMNS", str(columns))
        text = sentences(["  - " + " ".join(words)])
    assert text.split() == ["-", *words]
    first, *more = text.splitlines()
    assert first.startswith("  - ")
    assert all(line.startswith("    ") for line in more)
    assert max(map(len, text.splitlines())) <= columns


@pytest.mark.parametrize(
    "line", ["Result: /a folder/of a name/result.json", "  loadproof qualify -b resnet50 --fresh"]
)
def test_what_is_made_for_copying_stays_in_a_line(
    monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    assert sentences([line, "short"]) == f"{line}\nshort"


@pytest.mark.parametrize("columns", range(20, 40))
def test_no_number_is_parted_from_its_unit(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = sentences(
        ["  - limit 15 %, 3 ms, 600 s of 4 min, 2.5 GiB; CV 7.7 to 93.4 %"]
    ).splitlines()
    assert max(map(len, lines)) <= columns
    assert not any(line.split()[0].strip(",;") in {"%", "ms", "s", "min", "GiB"} for line in lines)


def test_without_a_terminal_a_sentence_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.report.sentences.terminal_columns", lambda: None)
    assert sentences(["word " * 100, "end"]) == "word " * 100 + "\nend"
