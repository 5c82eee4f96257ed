"""``loadproof package`` and ``loadproof migrate``: what they print, and their exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from datasets.errors import UsageError
from harness.cli.app import app
from tests.audit.evidence import Evidence
from tests.audit.submission.trees import build


@pytest.fixture
def evidence(tmp_path: Path) -> Path:
    return Evidence(tmp_path / "evidence", ("Offline", "Server"), repeats=1).root


def package(evidence: Path, *more: str) -> Result:
    tree = str(evidence.parent / "tree")
    asked = ["package", str(evidence), "--submitter", "Föo", "--division", "open", "--out", tree]
    return CliRunner().invoke(app, [*asked, "--system-name", "Box", *more])


def test_what_was_packed_left_out_and_is_unknown_is_told(evidence: Path) -> None:
    done = package(evidence)
    assert done.exit_code == 0
    assert "  - open/Foo/Box/resnet50/Offline" in done.output
    assert "evidence resnet50/Server: v6.1 does not have it for edge systems" in done.output
    assert "systems/Box.json: status (available, preview or rdi)" in done.output
    assert "Note: the submitter is called Foo" in done.output
    assert f"loadproof check {evidence.parent / 'tree'} --round v6.1" in done.output


def test_a_refusal_ends_with_1_and_every_reason(evidence: Path) -> None:
    (evidence / "resnet50/Offline/performance/run_1/user.conf").write_text("*.", "utf-8")
    done = package(evidence)
    assert done.exit_code == 1
    assert done.output.startswith("Nothing was packed:\n  - evidence resnet50/Offline: ")
    assert "--only-valid" in done.output
    assert not (evidence.parent / "tree").exists()


def test_a_template_is_written_filled_in_and_used(evidence: Path) -> None:
    file = evidence.parent / "own.json"
    assert package(evidence, "--template", str(file)).exit_code == 0
    assert not (evidence.parent / "tree").exists()
    asked = json.loads(file.read_text("utf-8"))
    with pytest.raises(UsageError, match="is there already"):
        raise package(evidence, "--template", str(file)).exception or AssertionError
    filled = {name: "x" for name in asked if name != "measurements"}
    fields = {key: dict.fromkeys(value, "x") for key, value in asked["measurements"].items()}
    file.write_text(json.dumps({**filled, "measurements": fields}), "utf-8")
    done = package(evidence, "--system-file", str(file))
    assert "Unknown" not in done.output


def test_there_are_two_divisions_to_package_for(evidence: Path) -> None:
    with pytest.raises(UsageError, match="closed or open"):
        raise package(evidence, "--division", "network").exception or AssertionError


def test_a_migration_says_what_it_did(tmp_path: Path) -> None:
    tree = build(tmp_path / "old", "v5.1").root
    asked = ["migrate", str(tree), "--from", "v5.1", "--to", "v6.1", "--out"]
    done = CliRunner().invoke(app, [*asked, str(tmp_path / "new")])
    assert done.exit_code == 0
    assert "Note: only the layout has changed: runs made with the seeds of v5.1" in done.output
    (tree / "closed/Example/results/sample-cpu/resnet50/Offline/README.md").touch()
    done = CliRunner().invoke(app, [*asked, str(tmp_path / "other")])
    assert done.exit_code == 1
    assert "resnet50/Offline/README.md has its place" in done.output
    assert (tmp_path / "other.unplaced").is_dir()
