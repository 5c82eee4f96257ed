"""What can't be read is said once, with its own remedy, and nothing is claimed of what it holds."""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.audit.submission.trees import SampleTree, build

DENIED = "Permission denied"


@pytest.fixture
def tree(tmp_path: Path) -> SampleTree:
    return build(tmp_path / "tree")


def shut_file(monkeypatch: pytest.MonkeyPatch, shut: Path) -> None:
    """Let nobody read the file, not even root."""
    true = io.FileIO

    def opened(path: str | Path) -> io.FileIO:
        if Path(path) == shut:
            raise PermissionError(errno.EACCES, DENIED, str(path))
        return true(path)

    monkeypatch.setattr("datasets.disk.regular.io.FileIO", opened)


def shut_folder(monkeypatch: pytest.MonkeyPatch, shut: Path) -> None:
    """Let nobody list the folder, not even root."""
    true = os.scandir

    @contextmanager
    def listed(path: str) -> Iterator[Iterator[os.DirEntry[str]]]:
        if Path(path) == shut:
            raise PermissionError(errno.EACCES, DENIED, str(path))
        with true(path) as found:
            yield found

    monkeypatch.setattr("audit.submission.files.os.scandir", listed)


@pytest.mark.parametrize("which", ["description", "measurements_file"])
def test_a_json_file_is_said_once_with_how_to_mend_it(
    tree: SampleTree, monkeypatch: pytest.MonkeyPatch, which: str
) -> None:
    path = tree.description if which == "description" else tree.measurements_file()
    shut_file(monkeypatch, path)
    (found,) = [one for one in tree.check() if one.where == str(path.relative_to(tree.root))]
    assert found.rule == "STR-018"
    assert found.sentence == f"{found.where} can't be read: {DENIED}. Nothing in it was checked."
    assert found.fix == "Make it readable and check again."


@pytest.mark.parametrize("part", ["", "performance", "accuracy", "TEST01", "performance/run_1"])
def test_of_a_folder_of_an_entry_nothing_else_is_said(
    tree: SampleTree, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    shut_folder(monkeypatch, tree.results() / part)
    assert [one.rule for one in tree.check()] == ["STR-018"]


@pytest.mark.parametrize("part", ["results", "systems", "src"])
def test_of_a_folder_of_a_submitter_nothing_is_claimed_to_be_missing(
    tree: SampleTree, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    shut_folder(monkeypatch, tree.folder / part)
    rules = [one.rule for one in tree.check()]
    assert "STR-018" in rules
    assert not {"STR-004", "STR-005", "STR-020", "STR-021"} & set(rules)


def test_nothing_is_claimed_to_belong_to_no_results_where_results_are_shut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = build(tmp_path / "tree", "v5.1")
    shut_folder(monkeypatch, tree.folder / "results" / tree.system)
    assert not {"STR-023", "STR-024"} & {one.rule for one in tree.check()}
