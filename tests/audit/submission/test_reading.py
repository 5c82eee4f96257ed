"""A tree is read as its folders name it, whatever its files hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.rules import round_names
from audit.submission.reading import read_submission
from audit.submission.tree import Entry
from datasets.errors import StorageError, UsageError
from tests.audit.submission.trees import SampleTree, build, change_text, write


def entries(tree: SampleTree) -> dict[str, Entry]:
    return {one.name: one for one in read_submission(tree.root, tree.round.name).entries()}


@pytest.mark.parametrize("round_name", round_names())
def test_every_entry_of_a_good_tree_is_known(tmp_path: Path, round_name: str) -> None:
    found = entries(build(tmp_path, round_name))
    assert [(one.benchmark and one.benchmark.name, one.scenario) for one in found.values()] == [
        ("bert-99", "Offline"),
        ("bert-99", "SingleStream"),
        ("resnet", "MultiStream"),
        ("resnet", "Offline"),
        ("resnet", "SingleStream"),
    ]
    assert {one.system_type for one in found.values()} == {"edge"}


@pytest.mark.parametrize("folder", ["offline", "OFFLINE", "offLine"])
def test_a_scenario_may_be_written_in_any_case_and_lie_beside_others(
    tmp_path: Path, folder: str
) -> None:
    tree = build(tmp_path, "v5.1")
    tree.results().rename(tree.results().parent / folder)
    entry = entries(tree)[f"closed/Example/sample-cpu/resnet50/{folder}"]
    assert entry.scenario == "Offline"
    assert entry.results.endswith(folder)
    assert entry.measurements.endswith("/Offline")
    assert entry.compliance.endswith("/Offline")


@pytest.mark.parametrize(
    ("division", "folder", "benchmark"),
    [
        ("closed", "resnet", "resnet"),
        ("closed", "mobilenet", None),
        ("closed", "mynet", None),
        ("open", "mobilenet-v3", "resnet"),
        ("open", "efficientnet_b0", "resnet"),
        ("open", "mynet", "resnet"),
        ("open", "othernet", None),
    ],
)
def test_only_the_open_division_names_its_own_models(
    tmp_path: Path, division: str, folder: str, benchmark: str | None
) -> None:
    tree = build(tmp_path, division=division)
    write(tree.folder / "model_mapping.json", '{"mynet": "resnet50"}')
    tree.results().parent.rename(tree.results().parent.parent / folder)
    entry = entries(tree)[f"{division}/Example/sample-cpu/{folder}/Offline"]
    assert (entry.benchmark and entry.benchmark.name) == benchmark


@pytest.mark.parametrize("mapping", ["[]", "{", '{"mynet": 1}', "\x00"])
def test_a_mapping_that_is_no_table_of_names_maps_nothing(tmp_path: Path, mapping: str) -> None:
    tree = build(tmp_path, division="open")
    write(tree.folder / "model_mapping.json", mapping)
    assert len(entries(tree)) == 5


@pytest.mark.parametrize(
    ("old", "new", "system_type"),
    [
        ('"edge"', '"datacenter, edge"', "datacenter,edge"),
        ('"edge"', '"edge,datacenter"', "datacenter,edge"),
        ('"edge"', '"cloud"', ""),
        ('"edge"', "7", ""),
        ('"edge",', '"edge",,', "edge"),
        ('"edge"', '"datacenter", "system_type": "edge"', "edge"),
    ],
)
def test_a_damaged_description_still_tells_its_type(
    tmp_path: Path, old: str, new: str, system_type: str
) -> None:
    tree = build(tmp_path)
    change_text(tree.description, old, new)
    assert {one.system_type for one in entries(tree).values()} == {system_type}


def test_a_system_is_known_by_its_results_or_its_description(tmp_path: Path) -> None:
    tree = build(tmp_path)
    write(tree.folder / "systems" / "other.json", "{}")
    (tree.folder / "results" / "third").mkdir()
    (submitter,) = read_submission(tree.root, "v6.1").submitters
    assert [one.name for one in submitter.systems] == ["other", "sample-cpu", "third"]


def test_one_submitter_can_be_asked_for(tmp_path: Path) -> None:
    tree = build(tmp_path)
    assert not read_submission(tree.root, "v6.1", "Exmaple").submitters
    assert read_submission(tree.root, "v6.1", "Example").submitters


def test_a_name_that_is_no_text_is_read(tmp_path: Path) -> None:
    tree = build(tmp_path)
    (tree.code / "b\udcff.txt").touch()
    assert any("\udcff" in path for path in read_submission(tree.root, "v6.1").tree.nodes)


def test_the_history_of_the_repository_is_no_part_of_it(tmp_path: Path) -> None:
    tree = build(tmp_path)
    write(tree.root / ".git" / "objects" / "a b", "x")
    assert not [path for path in read_submission(tree.root, "v6.1").tree.nodes if ".git" in path]
    assert not tree.check()


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="can't be listed"):
        read_submission(tmp_path / "absent", "v6.1")
    with pytest.raises(UsageError, match=r"known rounds are v5\.0"):
        read_submission(tmp_path, "v9.9")
