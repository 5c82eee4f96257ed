"""A wrong round, or a wrong folder, is told in one sentence, and only where it is one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from audit import schema
from audit.rules import load_round
from audit.submission.check import check
from audit.submission.document import check_document
from audit.submission.files import scan
from audit.submission.misplaced import misplaced
from audit.submission.other_round import other_round
from audit.submission.reading import read_submission
from audit.submission.sarif import sarif_document
from tests.audit.submission.trees import SampleTree, build, change_log, remove, write

SARIF = json.loads(Path(__file__).with_name("sarif.schema.json").read_text("utf-8"))
RESULTS = "closed/Example/results/sample-cpu/resnet50/Offline"


def told(tree: SampleTree, round_name: str) -> str | None:
    return other_round(check(read_submission(tree.root, round_name)))


def only_one_entry(tree: SampleTree) -> SampleTree:
    """The same tree, quicker to check."""
    for folder in tree.folder.rglob("resnet50/*Stream"):
        remove(folder)
    for folder in tree.folder.rglob("bert-99"):
        remove(folder)
    return tree


@pytest.mark.parametrize(
    ("of", "by", "said"),
    [
        ("v5.1", "v5.1", None),
        ("v5.1", "v5.0", "All seeds are v5.1's: check with --round v5.1."),
        ("v5.1", "v6.1", "All seeds are v5.1's: check with --round v5.1."),
        ("v6.1", "v6.0", "All seeds are v6.1's: check with --round v6.1."),
    ],
)
def test_seeds_tell_of_another_round(tmp_path: Path, of: str, by: str, said: str | None) -> None:
    assert told(only_one_entry(build(tmp_path / "tree", of)), by) == said


def test_one_seed_of_no_round_tells_of_none(tmp_path: Path) -> None:
    tree = only_one_entry(build(tmp_path / "tree", "v5.1"))
    assert 7 not in vars(load_round("v5.0").seeds).values()
    change_log(tree.performance(), {"effective_qsl_rng_seed": 7})
    assert told(tree, "v5.0") is None


def test_seeds_of_another_round_in_a_part_of_the_entries_tell_of_none(tmp_path: Path) -> None:
    tree = build(tmp_path / "tree", "v5.1")
    seeds = {f"effective_{key}": seed for key, seed in vars(load_round("v5.0").seeds).items()}
    change_log(tree.performance(), seeds)
    change_log(tree.accuracy(), seeds)
    assert told(tree, "v5.1") is None


@pytest.mark.parametrize(
    ("by", "folder", "said"),
    [
        ("v6.1", "code", "check with --round v5.0 or v5.1."),
        ("v5.1", "src", "check with --round v6.0 or v6.1."),
    ],
)
def test_the_layout_tells_where_seeds_do_not(
    tmp_path: Path, by: str, folder: str, said: str
) -> None:
    (tmp_path / "closed/Example/results/box/resnet50/Offline").mkdir(parents=True)
    write(tmp_path / "closed/Example" / folder / "README.md", "x")
    reason = f"The folders {folder} are those of another round's layout: "
    assert other_round(check(read_submission(tmp_path, by))) == reason + said


@pytest.mark.parametrize("by", ["v5.1", "v5.0"])
def test_the_documents_give_the_same_advice(tmp_path: Path, by: str) -> None:
    tree = only_one_entry(build(tmp_path / "tree", "v5.1"))
    checked = check(read_submission(tree.root, by))
    advice, document = other_round(checked), check_document(checked, "2026-01-01T00:00:00+00:00")
    assert document["advice"] == advice
    assert schema.problems(document, "submission-check") == []
    sarif = sarif_document(checked, "1.0")
    assert list(Draft202012Validator(SARIF).iter_errors(sarif)) == []
    notes = sarif["runs"][0]["invocations"][0].get("toolExecutionNotifications", [])
    assert [one["message"]["text"] for one in notes] == ([advice] if advice else [])


@pytest.mark.parametrize(
    "part", ["closed", "closed/Example", "closed/Example/results/sample-cpu", RESULTS]
)
def test_a_part_of_a_submission_names_the_whole(tmp_path: Path, part: str) -> None:
    (tmp_path / "tree" / RESULTS).mkdir(parents=True)
    said = misplaced(scan(tmp_path / "tree" / part))
    assert said is not None
    assert said.endswith(f"name the folder above it: {tmp_path / 'tree'}.")


def test_a_folder_above_submissions_names_them(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name / RESULTS).mkdir(parents=True)
    said = misplaced(scan(tmp_path))
    assert said is not None
    assert said.endswith(f"holds some; name one: {tmp_path / 'a'}, {tmp_path / 'b'}.")


@pytest.mark.parametrize("name", ["open", "closed", "any"])
def test_a_whole_submission_is_where_it_belongs(tmp_path: Path, name: str) -> None:
    (tmp_path / name / RESULTS).mkdir(parents=True)
    assert misplaced(scan(tmp_path / name)) is None
    (tmp_path / name / "other").mkdir()
    assert misplaced(scan(tmp_path / name / "other")) is None


def test_seeds_are_each_round_s_own() -> None:
    """What :mod:`audit.submission.other_round` relies on."""
    seeds = [json.dumps(vars(load_round(name).seeds)) for name in ("v5.0", "v5.1", "v6.0", "v6.1")]
    assert len(set(seeds)) == 4
