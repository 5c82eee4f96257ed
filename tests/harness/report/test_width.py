"""Tables on terminals of any width: none is broken by one, and none loses a cell."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from audit.comparison.comparing import compare_all
from audit.judge import judge
from audit.result import read_result
from harness.report import comparison, result, table
from harness.report.width import fitted
from tests.audit.written_evidence import Evidence
from tests.harness.command import run

SCENARIOS = ("Offline", "SingleStream", "MultiStream", "Server")
CELL = st.text(st.characters(codec="ascii", categories=("L", "N")), min_size=1, max_size=20)


def _widest_row(text: str) -> int:
    """Of the lines of tables, which come before the first sentence below them."""
    tables = [part for part in text.split("\n\n") if "\n-" in part]
    return max(len(line) for part in tables for line in part.splitlines())


@pytest.fixture
def evidence(tmp_path: Path) -> Evidence:
    made = Evidence(tmp_path / "evidence", SCENARIOS)
    assert judge(made.root).passed
    return made


def _audited(evidence: Evidence) -> str:
    return table.render(judge(evidence.root)).split("\n* not in this round")[0]


def _shown(evidence: Evidence) -> str:
    return result.render(read_result(evidence.root), "plain")


def _compared(evidence: Evidence) -> str:
    found = read_result(evidence.root)
    return comparison.render(compare_all([found, found, found])).rpartition("\n\n")[0]


@pytest.mark.parametrize("render", [_audited, _shown, _compared])
def test_tables_fit_a_terminal_of_80_and_of_120_columns(
    evidence: Evidence, monkeypatch: pytest.MonkeyPatch, render: Callable[[Evidence], str]
) -> None:
    whole = render(evidence)
    monkeypatch.setenv("COLUMNS", "120")
    wide = render(evidence)
    monkeypatch.setenv("COLUMNS", "80")
    narrow = render(evidence)
    assert _widest_row(wide) <= 120
    assert _widest_row(whole) > 80
    assert _widest_row(narrow) <= 80
    assert set(whole.split()) <= set(narrow.split())


def test_list_and_doctor_fit_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for command in ("list", "doctor"):
        run(command)
        assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_what_finds_no_room_follows_under_the_same_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [("Offline", "A", "1" * 9, "2" * 9), ("Server", "B", "3" * 9, "4" * 9)]
    monkeypatch.setenv("COLUMNS", "30")
    first, second = fitted(rows, ("scenario", "of", "one", "two"), keys=2).split("\n\n")
    assert [line.split() for line in first.splitlines() if "-" not in line] == [
        ["scenario", "of", "one"],
        ["Offline", "A", "1" * 9],
        ["Server", "B", "3" * 9],
    ]
    assert [line.split()[-1] for line in second.splitlines()][2:] == ["2" * 9, "4" * 9]


@example([["0" * 13, "0", "0", "0"]], {1, 2, 3}, 30)
@given(
    st.lists(st.lists(CELL, min_size=4, max_size=4), max_size=4),
    st.sets(st.integers(1, 3)),
    st.integers(30, 200),
)
def test_no_table_is_wider_than_the_terminal_and_no_sign_is_lost(
    rows: list[list[str]], words: set[int], columns: int
) -> None:
    headings = ["key", "a", "b", "c"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "COLUMNS", str(columns))
        text = fitted(rows, headings, words)
    parts = text.split("\n\n")
    assert max(len(line) for line in text.splitlines()) <= max(columns, 20 + 2 + 20)
    signs = sorted("".join(cell for row in (headings, *rows) for cell in row))
    keys = sorted("".join(row[0] for row in (headings, *rows))) * (len(parts) - 1)
    assert sorted(sign for sign in text if not sign.isspace() and sign != "-") == sorted(
        signs + keys
    )


def test_without_a_terminal_a_table_has_the_width_that_it_needs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr("os.get_terminal_size", _no_terminal)
    assert len(fitted([("key", "word " * 100)], ("a", "b"), (1,)).splitlines()) == 3


def _no_terminal(_descriptor: int) -> os.terminal_size:
    raise OSError
