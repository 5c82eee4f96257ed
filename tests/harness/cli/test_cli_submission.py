"""``loadproof check`` and ``loadproof rules``: what they print, write and end with."""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from audit import schema
from audit.submission import checking
from audit.submission.findings import rules
from harness import exits
from harness.report.rules import PAGE, page
from tests.audit import written_logs
from tests.audit.submission.trees import SampleTree, build, change_log, change_text, write
from tests.harness.command import run

OFFLINE = "closed/Example/results/sample-cpu/resnet50/Offline"


@pytest.fixture
def tree(tmp_path: Path) -> SampleTree:
    return build(tmp_path / "tree")


@pytest.fixture
def broken(tree: SampleTree) -> SampleTree:
    change_log(tree.performance("Offline"), {"result_validity": "INVALID"})
    return tree


def check(tree: SampleTree, *options: str) -> int:
    return run("check", tree.root, "--round", tree.round.name, *options)


def test_a_good_submission_is_fine(tree: SampleTree, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(tree) == exits.FINE
    said = capsys.readouterr()
    assert "closed/Example/sample-cpu  5        5" in said.out
    assert said.out.endswith("Nothing speaks against this submission.\n")
    assert said.err == ""


def test_a_broken_one_has_findings_with_file_and_remedy(
    broken: SampleTree, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(broken) == exits.FINDINGS
    said = capsys.readouterr().out
    assert f"{OFFLINE}/performance/run_1/mlperf_log_detail.txt:" in said
    assert "error PERF-" in said
    assert " → " in said


def test_what_is_left_out_is_listed(broken: SampleTree, capsys: pytest.CaptureFixture[str]) -> None:
    check(broken, "--submitter", "Example", "--only", "perf-007", "--ignore", "STR-010")
    title = capsys.readouterr().out.splitlines()[0]
    assert title.endswith(" · submitter Example alone · only PERF-007 · ignored: STR-010")


def test_everything_is_told_in_files(broken: SampleTree, tmp_path: Path) -> None:
    files = {kind: tmp_path / f"out.{kind}" for kind in ("json", "csv", "sarif")}
    options = [word for kind, file in files.items() for word in (f"--{kind}", str(file))]
    assert check(broken, *options) == exits.FINDINGS
    document = schema.read(files["json"], "submission-check")
    assert len(document["entries"]) == 5
    with files["csv"].open(newline="", encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 5
    assert json.loads(files["sarif"].read_text("utf-8"))["version"] == "2.1.0"


@pytest.mark.parametrize("place", ["{}", "{tree}/{}", "{tree}/{}/", "{tree}/{other_case}/"])
def test_one_entry_is_explained(
    broken: SampleTree, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    path = place.format(OFFLINE, tree=broken.root, other_case=OFFLINE.replace("Off", "off"))
    assert check(broken, "--explain", path) == exits.FINDINGS
    said = capsys.readouterr().out
    assert said.startswith("closed/Example/sample-cpu/resnet50/Offline: invalid\n")
    assert "result: 109.5 Samples/s (result_samples_per_second)" in said
    assert "PERF-007  yes" in said
    assert said.index("PERF-004  error") < said.index("  yes")
    assert "INVALID" in said
    assert check(broken, "--explain", OFFLINE.replace("Offline", "SingleStream")) == exits.FINE


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "name it with --round; known are v5.0, v5.1, v6.0, v6.1."),
        (["--round", "v9"], "the known rounds are v5.0, v5.1, v6.0, v6.1."),
        (
            ["--round", "v6.1", "--only", "PERF-9"],
            "no rule 'PERF-9'; near it are PERF-009",
        ),
        (["--round", "v6.1", "--explain", "nowhere"], "There is no entry at 'nowhere'"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(
    tree: SampleTree, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    assert run("check", str(tree.root), *options) == exits.USAGE
    assert said in capsys.readouterr().err


def test_a_check_that_fails_itself_is_a_defect_and_the_rest_goes_on(
    broken: SampleTree, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def defective(_subject: object) -> object:
        raise RecursionError("too deep")

    monkeypatch.setattr(checking, "ENTRY_CHECKS", (defective, *checking.ENTRY_CHECKS))
    assert check(broken) == exits.USAGE
    said = capsys.readouterr().out
    assert "error INT-001" in said
    assert "error PERF-" in said


def empty(root: Path) -> None:
    root.mkdir()


def absent(root: Path) -> None:
    assert not root.exists()


def a_file(root: Path) -> None:
    root.write_text("x", encoding="utf-8")


def a_pipe_in_it(root: Path) -> None:
    (root / "closed/Example/results").mkdir(parents=True)
    os.mkfifo(root / "closed/Example/results/pipe")


def bytes_for_names(root: Path) -> None:
    folder = os.fsencode(root) + b"/closed/\xff\xfe/results/\xffbox/resnet50/Offline"
    Path(os.fsdecode(folder)).mkdir(parents=True)


def deep(root: Path) -> None:
    (root / "/".join(["closed", *["d" * 20] * 90])).mkdir(parents=True)


def loop(root: Path) -> None:
    root.mkdir()
    (root / "closed").symlink_to(root)


HOSTILE = (empty, absent, a_file, a_pipe_in_it, bytes_for_names, deep, loop)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_no_tree_ends_in_a_trace_or_passes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], hostile: Callable[[Path], None]
) -> None:
    root = tmp_path / "tree"
    hostile(root)
    out = [str(tmp_path / name) for name in ("a.json", "a.csv", "a.sarif")]
    files = [
        word for pair in zip(("--json", "--csv", "--sarif"), out, strict=True) for word in pair
    ]
    code = run("check", str(root), "--round", "v5.1", *files)
    said = capsys.readouterr()
    assert code in (exits.FINDINGS, exits.USAGE)
    assert "defect" not in said.out + said.err


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every folder")
def test_a_folder_that_may_not_be_read_is_a_finding(
    tree: SampleTree, capsys: pytest.CaptureFixture[str]
) -> None:
    tree.accuracy("Offline").chmod(0)
    try:
        assert check(tree) == exits.FINDINGS
    finally:
        tree.accuracy("Offline").chmod(0o755)
    assert "STR-018" in capsys.readouterr().out


def test_rules_are_listed_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("rules") == exits.FINE
    listed = capsys.readouterr().out
    assert all(id_ in listed for id_ in rules())
    assert run("rules", "perf-007") == exits.FINE
    assert capsys.readouterr().out.startswith("PERF-007 (error): ")
    assert run("rules", "--format", "json") == exits.FINE
    assert len(json.loads(capsys.readouterr().out)) == len(rules())
    assert run("rules", "perf-002", "--format", "json") == exits.FINE
    (told,) = json.loads(capsys.readouterr().out)
    assert "{sentence}" not in str(told)
    assert len(told["says"]) == len(rules()["PERF-002"].stands_for)
    assert run("rules", "--format", "xml") == exits.USAGE
    assert run("rules", "PERF-999") == exits.USAGE


def test_the_page_of_rules_is_what_the_catalogue_makes() -> None:
    assert PAGE.read_text("utf-8") == page(), "run python -m tests.write_rules"


def test_names_of_files_can_be_printed(
    tree: SampleTree, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tree.code / "red\x1b[31m.txt", "x")
    assert check(tree) == exits.FINDINGS
    said = capsys.readouterr().out
    assert "\x1b" not in said
    assert "red\\x1b[31m.txt" in said


@pytest.mark.parametrize("kind", ["json", "csv", "sarif"])
def test_a_file_on_standard_output_is_told_alone(
    broken: SampleTree, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    assert check(broken, f"--{kind}", "-") == exits.FINDINGS
    said = capsys.readouterr().out
    if kind == "csv":
        assert len(list(csv.DictReader(said.splitlines()))) == 5
    else:
        assert json.loads(said)
    assert not (Path.cwd() / "-").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--json", "{out}/a", "--csv", "{out}/link"], "is named by --json and --csv"),
        (["--json", "-", "--sarif", "-"], "is named by --json and --sarif"),
        (["--csv", "{tree}/closed/a.csv"], "lies in the tree that is checked"),
        (["--sarif", "{out}"], "is a folder"),
    ],
)
def test_a_wrong_place_for_a_file_is_refused_before_the_check(
    tree: SampleTree,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    said: str,
) -> None:
    (tmp_path / "link").symlink_to("a")
    places = [word.format(out=tmp_path, tree=tree.root) for word in options]
    assert check(tree, *places) == exits.USAGE
    told = capsys.readouterr()
    assert said in told.err
    assert told.out == ""
    assert not (tmp_path / "a").exists()


def test_a_huge_value_floods_no_terminal_and_a_line_is_named_once(
    tree: SampleTree, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tree.performance("Offline") / "mlperf_log_detail.txt"
    change_text(log, '"value": 109.5', '"value": ' + "[" * 100_000)
    assert check(tree) == exits.FINDINGS
    said = capsys.readouterr().out
    assert len(said) < 10_000
    assert re.search(r"mlperf_log_detail\.txt:\d+ ", said)
    assert not re.search(r"\.txt:\d+:\d", said)


def test_some_rules_alone_accept_nothing(
    broken: SampleTree, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "out.json"
    assert check(broken, "--only", "STR-001", "--json", str(file)) == exits.FINE
    assert "By the rules that were asked, nothing speaks against" in capsys.readouterr().out
    assert json.loads(file.read_text("utf-8"))["accepted"] is False


def test_notes_are_counted_with_where_to_see_them(
    tree: SampleTree, capsys: pytest.CaptureFixture[str]
) -> None:
    line = written_logs.line("qsl_reported_performance_count", 1)
    change_log(tree.performance("Offline"), {}, line)
    assert check(tree) == exits.FINE
    assert "\nnotes: 1 PERF-012; --json FILE lists them\n" in capsys.readouterr().out


def test_a_folder_that_is_no_submission_names_the_one_that_is(
    tree: SampleTree, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("check", str(tree.folder), "--round", "v6.1") == exits.USAGE
    assert f"name the folder above it: {tree.root}." in capsys.readouterr().err


@pytest.mark.parametrize("columns", [80, 100, 140])
@pytest.mark.parametrize("what", ["check", "explain", "rules"])
def test_tables_are_as_wide_as_the_terminal(
    tree: SampleTree,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    what: str,
    columns: int,
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    asked = {
        "check": ("check", str(tree.root), "--round", "v6.1"),
        "explain": ("check", str(tree.root), "--round", "v6.1", "--explain", OFFLINE),
        "rules": ("rules",),
    }
    assert run(*asked[what]) == exits.FINE
    table = capsys.readouterr().out.split("\n\n", 0 if what == "rules" else 1)[-1]
    assert max(map(len, table.splitlines())) <= columns


def test_an_explanation_is_legible_on_a_narrow_terminal(
    broken: SampleTree, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert check(broken, "--explain", OFFLINE) == exits.FINDINGS
    lines = capsys.readouterr().out.splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("PERF-004  error"))
    assert lines[place + 1].startswith("  found: ")
    assert any(
        line.startswith("  where: performance/run_1/mlperf_log_detail.txt:")
        for line in lines[place:][:4]
    )
