"""What is compared where a shell has named all that lies in a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.judge import judge
from harness import exits
from harness.cli.app import app, guarded
from tests.audit.written_evidence import Evidence


def _compare(folder: Path) -> int:
    return guarded(lambda: app(["compare", *map(str, sorted(folder.iterdir()))]))


@pytest.fixture
def output(tmp_path: Path) -> Path:
    """Two results, and what a qualification and a sweep leave beside them."""
    for name in ("b", "d"):
        assert judge(Evidence(tmp_path / name).root).passed
    (tmp_path / "loadproof.log").write_text("[1/2] Offline\n")
    (tmp_path / "sweep").mkdir()
    return tmp_path


def test_what_is_no_result_is_named_and_the_rest_is_compared(
    output: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _compare(output) == exits.FINE
    said = capsys.readouterr()
    assert said.out.startswith("A  simulated-cpu-fp32-resnet50-simulated")
    assert said.err.splitlines() == [
        f"Left out: {output / name} is no result and no evidence folder."
        for name in ("loadproof.log", "sweep")
    ]


@pytest.mark.parametrize("lost", ["never audited", "damaged"])
def test_evidence_without_a_result_is_a_finding(
    output: Path, capsys: pytest.CaptureFixture[str], lost: str
) -> None:
    evidence = Evidence(output / "c")
    if lost == "damaged":
        (evidence.root / "result.json").write_text("{")
    assert _compare(output) == exits.FINDINGS
    said = capsys.readouterr()
    assert f"Left out: {evidence.root}" in said.err
    assert "A → B" in said.out


def test_fewer_than_two_results_are_no_comparison(
    output: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (output / "d/result.json").unlink()
    assert _compare(output) == exits.USAGE
    (sentence,) = capsys.readouterr().err.splitlines()
    assert "needs at least two results, and 1 of what was named is one: " in sentence
    assert f"{output / 'd'} has no result.json" in sentence


def test_a_misspelt_place_is_refused(output: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["compare", *(str(output / name) for name in ("b", "d", "nope"))]
    assert guarded(lambda: app(asked)) == exits.USAGE
    assert f"There is nothing at {output / 'nope'}" in capsys.readouterr().err
