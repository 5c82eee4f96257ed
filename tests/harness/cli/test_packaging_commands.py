"""``loadproof package`` and ``loadproof migrate``: what they print, and their exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from audit import schema
from harness import exits
from tests.audit.submission.trees import build
from tests.audit.written_evidence import Evidence
from tests.harness.command import run

BOX = "systems/Box.json"


@pytest.fixture
def evidence(tmp_path: Path) -> Path:
    return Evidence(tmp_path / "evidence", ("Offline", "Server"), repeats=1).root


def package(evidence: Path, *more: str | Path) -> int:
    names = ("--submitter", "Föo", "--division", "open", "--system-name", "Box")
    return run("package", evidence, *names, "--out", evidence.parent / "tree", *more)


def test_what_was_packed_left_out_and_is_unknown_is_told(
    evidence: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert package(evidence) == exits.FINE
    said = capsys.readouterr().out
    assert "  - open/Foo/Box/resnet50/Offline" in said
    assert "evidence resnet50/Server: v6.1 does not have it for edge systems" in said
    assert "systems/Box.json: status (available, preview or rdi)" in said
    assert "Note: the submitter is called Foo" in said
    assert f"loadproof check {evidence.parent / 'tree'} --round v6.1" in said


def test_a_refusal_ends_with_1_and_every_reason(
    evidence: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (evidence / "resnet50/Offline/performance/run_1/user.conf").write_text("*.", "utf-8")
    assert package(evidence) == exits.FINDINGS
    said = capsys.readouterr().out
    assert said.startswith("Nothing was packed:\n  - evidence resnet50/Offline: ")
    assert "--only-valid" in said
    assert not (evidence.parent / "tree").exists()


def test_what_is_no_evidence_is_left_out_and_named(
    evidence: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sweep = evidence.parent / "sweep"
    sweep.mkdir()
    assert package(evidence, sweep) == exits.FINE
    said = capsys.readouterr()
    assert said.err == f"{sweep} holds no evidence of a qualification: it is left out.\n"
    assert "  - open/Foo/Box/resnet50/Offline" in said.out


def test_folders_without_any_evidence_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert package(tmp_path) == exits.USAGE
    assert "holds no plan.json" in capsys.readouterr().err


def test_a_package_is_told_as_json(evidence: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert package(evidence, "--json") == exits.FINE
    told = json.loads(capsys.readouterr().out)
    assert schema.problems(told, "package") == []
    assert (told["round"], told["entries"]) == ("v6.1", ["open/Foo/Box/resnet50/Offline"])
    (server,) = told["left_out"]
    assert (server["what"], server["fault"]) == ("evidence resnet50/Server", False)
    assert "status" in [one["field"] for one in told["unknown"] if one["file"] == BOX]
    assert "the submitter is called Foo" in told["notes"][0]


def test_a_refused_package_is_told_as_json(
    evidence: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (evidence / "resnet50/Offline/performance/run_1/user.conf").write_text("*.", "utf-8")
    assert package(evidence, "--json") == exits.FINDINGS
    told = json.loads(capsys.readouterr().out)
    assert schema.problems(told, "package") == []
    assert (told["round"], told["entries"]) == (None, [])
    assert [one["what"] for one in told["left_out"] if one["fault"]] == [
        "evidence resnet50/Offline"
    ]


def test_a_template_is_printed_as_json_too(
    evidence: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = evidence.parent / "own.json"
    assert package(evidence, "--template", file, "--json") == exits.FINE
    assert json.loads(capsys.readouterr().out) == json.loads(file.read_text("utf-8"))


def test_a_template_is_written_filled_in_and_used(
    evidence: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = evidence.parent / "own.json"
    assert package(evidence, "--template", file) == exits.FINE
    assert not (evidence.parent / "tree").exists()
    asked = json.loads(file.read_text("utf-8"))
    assert package(evidence, "--template", file) == exits.USAGE
    assert "is there already" in capsys.readouterr().err
    filled = {name: "x" for name in asked if name != "measurements"}
    fields = {key: dict.fromkeys(value, "x") for key, value in asked["measurements"].items()}
    file.write_text(json.dumps({**filled, "measurements": fields}), "utf-8")
    assert package(evidence, "--system-file", file) == exits.FINE
    assert "Unknown" not in capsys.readouterr().out


def test_there_are_two_divisions_to_package_for(
    evidence: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert package(evidence, "--division", "network") == exits.USAGE
    assert "closed or open" in capsys.readouterr().err


def test_a_migration_says_what_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tree = build(tmp_path / "old", "v5.1").root
    asked = ("migrate", tree, "--from", "v5.1", "--to", "v6.1", "--out")
    assert run(*asked, tmp_path / "new") == exits.FINE
    told = "Note: only the layout has changed: runs made with the seeds of v5.1"
    assert told in capsys.readouterr().out
    (tree / "closed/Example/results/sample-cpu/resnet50/Offline/README.md").touch()
    assert run(*asked, tmp_path / "other") == exits.FINDINGS
    assert "resnet50/Offline/README.md has its place" in capsys.readouterr().out
    assert (tmp_path / "other.unplaced").is_dir()


def test_a_migration_is_told_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tree = build(tmp_path / "old", "v5.1").root
    same = "closed/Example/{}/sample-cpu/resnet50/Offline/README.md"
    (tree / same.format("results")).touch()
    asked = ("migrate", tree, "--from", "v5.1", "--to", "v6.1", "--out", tmp_path / "new")
    assert run(*asked, "--json") == exits.FINDINGS
    told = json.loads(capsys.readouterr().out)
    assert schema.problems(told, "migration") == []
    assert all((tmp_path / "new" / one["target"]).is_file() for one in told["files"])
    (unplaced,) = told["unplaced"]
    assert unplaced["source"] == same.format("measurements")
    assert (Path(told["unplaced_tree"]) / unplaced["source"]).is_file()
