"""Who names the folder above evidence is told of what lies in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.judge import judge
from harness import exits
from harness.cli.app import app, guarded
from tests.audit.written_evidence import Evidence

PACKAGE = ("--submitter", "A", "--division", "open", "--out", "tree")


@pytest.mark.parametrize(
    "words", [("audit",), ("show",), ("rerun",), ("agree",), ("package", *PACKAGE)]
)
def test_the_folder_above_evidence_is_refused_with_one_that_is_meant(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    evidence = Evidence(tmp_path / "output/id")
    judge(evidence.root)
    command, *more = words
    asked = [command, str(evidence.root.parent), *more]
    assert guarded(lambda: app(asked)) == exits.USAGE
    (sentence,) = capsys.readouterr().err.splitlines()
    assert f" left, such as {evidence.root}" in sentence


@pytest.mark.parametrize("command", ["show", "rerun"])
def test_a_result_that_is_not_there_is_told_with_what_to_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert guarded(lambda: app([command, str(tmp_path / "nope")])) == exits.USAGE
    (sentence,) = capsys.readouterr().err.splitlines()
    assert sentence.startswith(f"loadproof: There is no result at {tmp_path / 'nope'}; name a ")
