"""From one layout to another: places change, files don't, and none is lost."""

from __future__ import annotations

import os
import tarfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.submission.packaging.migration import migrate
from audit.submission.packaging.staging import write
from datasets.errors import StorageError, UsageError
from tests.audit.submission.trees import build, findings

LEVELS = (
    "README.md",
    "closed/notes.txt",
    "closed/Example/calibration.md",
    "closed/Example/code/resnet50/main.py",
    "closed/Example/systems/box.json",
    "closed/Example/results/box/resnet50/offline/accuracy/accuracy.txt",
    "closed/Example/results/box/resnet50/offline/performance/power/server.json",
    "closed/Example/measurements/box/README.md",
    "closed/Example/measurements/box/resnet50/calibration.txt",
    "closed/Example/measurements/box/resnet50/offline/box.json",
    "closed/Example/measurements/box/resnet50/offline/README.md",
    "closed/Example/measurements/box/resnet50/offline/more/cpu.json",
    "closed/Example/measurements/untested/resnet50/offline/user.conf",
    "closed/Example/compliance/box/resnet50/offline/TEST01/performance/run_1/mlperf_log_detail.txt",
    "closed/Example/compliance/box/resnet50/offline/TEST04/verify_performance.txt",
    "open/Another/documentation/readme.txt",
    ".git/modules/results/a/b/c/d",
)
"""Paths of the layout with folders of their own, which have a way back."""


def contents(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()
    }


def filled(root: Path, *paths: str) -> Path:
    for number, path in enumerate(paths):
        write(root, path, f"{number}: {path}".encode())
    return root


@pytest.mark.parametrize(
    ("name", "source", "target"), [("R", "v5.1", "v6.1"), ("N1", "v6.1", "v5.0")]
)
def test_real_trees_come_back_as_they_were(
    shared: Path, tmp_path: Path, name: str, source: str, target: str
) -> None:
    with tarfile.open(shared / f"cases/submissions/{name}.tar.gz") as archive:
        archive.extractall(tmp_path / "old", filter="data")
    there = migrate(tmp_path / "old", source, target, tmp_path / "new")
    back = migrate(tmp_path / "new", target, source, tmp_path / "back")
    assert there.unplaced == back.unplaced == ()
    assert contents(tmp_path / "back") == contents(tmp_path / "old")
    assert there.moved > 0


@pytest.mark.parametrize(("source", "target"), [("v5.1", "v6.1"), ("v6.0", "v5.0")])
def test_a_migrated_tree_has_the_seeds_of_its_old_round_and_no_other_fault(
    tmp_path: Path, source: str, target: str
) -> None:
    migrated = migrate(build(tmp_path / "old", source).root, source, target, tmp_path / "new")
    assert f"made with the seeds of {source} keep them" in migrated.notes[0]
    found = [one for one in findings(tmp_path / "new", target) if one.severity == "error"]
    assert all("seed" in one.sentence for one in found)


def test_where_each_file_goes(tmp_path: Path) -> None:
    migrate(filled(tmp_path / "old", *LEVELS), "v5.0", "v6.1", tmp_path / "new")
    inner = "closed/Example/results/box/resnet50/offline"
    assert {
        "README.md",
        "closed/Example/src/resnet50/main.py",
        "closed/Example/results/box/README.md",
        f"{inner}/accuracy/accuracy.txt",
        f"{inner}/measurements.json",
        f"{inner}/more/cpu.json",
        f"{inner}/TEST01/performance/run_1/mlperf_log_detail.txt",
        "closed/Example/results/untested/resnet50/offline/user.conf",
        "open/Another/documentation/readme.txt",
        ".git/modules/results/a/b/c/d",
    } <= contents(tmp_path / "new").keys()


@given(paths=st.sets(st.sampled_from(LEVELS), min_size=1))
@settings(max_examples=10, deadline=None)
def test_there_and_back_is_where_it_was(
    tmp_path_factory: pytest.TempPathFactory, paths: set[str]
) -> None:
    root = tmp_path_factory.mktemp("trees")
    filled(root / "old", *{"closed/notes.txt", *paths})
    migrate(root / "old", "v5.1", "v6.0", root / "new")
    migrate(root / "new", "v6.0", "v5.1", root / "back")
    assert contents(root / "back") == contents(root / "old")


def test_scenarios_are_called_as_the_results_call_them(tmp_path: Path) -> None:
    filled(
        tmp_path / "old",
        "closed/Example/results/box/resnet50/Offline/accuracy/accuracy.txt",
        "closed/Example/measurements/box/resnet50/offline/box_Offline.json",
    )
    migrate(tmp_path / "old", "v5.1", "v6.1", tmp_path / "new")
    path = "closed/Example/results/box/resnet50/Offline/measurements.json"
    assert path in contents(tmp_path / "new")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("results/box/resnet50/offline/README.md", "measurements/box/resnet50/offline/README.md"),
        ("results/box/resnet50/offline/TEST01", "compliance/box/resnet50/offline/TEST01/a.txt"),
        ("results/box/resnet50/offline/b/c.txt", "measurements/box/resnet50/offline/b"),
    ],
)
def test_two_files_for_one_place_are_both_kept_and_told(
    tmp_path: Path, first: str, second: str
) -> None:
    both = [f"closed/Example/{one}" for one in (first, second)]
    migrated = migrate(filled(tmp_path / "old", *both), "v5.1", "v6.1", tmp_path / "new")
    assert [one.source for one in migrated.unplaced] == [both[1]]
    assert both[0] in migrated.unplaced[0].why_unplaced
    kept = contents(tmp_path / "new.unplaced") | contents(tmp_path / "new")
    assert kept == contents(tmp_path / "old")


def test_links_stay_links_and_are_told(tmp_path: Path) -> None:
    filled(tmp_path / "old", "closed/Example/measurements/box/resnet50/offline/box.json")
    link = tmp_path / "old/closed/Example/measurements/box/resnet50/offline/user.conf"
    link.symlink_to("box.json")
    migrated = migrate(tmp_path / "old", "v5.1", "v6.1", tmp_path / "new")
    moved = tmp_path / "new/closed/Example/results/box/resnet50/offline/user.conf"
    assert str(moved.readlink()) == "box.json"
    assert "is a link and may no longer lead" in migrated.notes[-1]


def test_one_layout_stays_as_it_is(tmp_path: Path) -> None:
    filled(tmp_path / "old", *LEVELS)
    migrated = migrate(tmp_path / "old", "v5.0", "v5.1", tmp_path / "new")
    assert migrated.moved == 0
    assert "every file lies where it lay" in migrated.notes[-1]
    assert contents(tmp_path / "new") == contents(tmp_path / "old")


def test_a_tree_of_another_layout_is_refused(tmp_path: Path) -> None:
    filled(tmp_path / "old", *LEVELS)
    with pytest.raises(UsageError, match="not of the layout of v6"):
        migrate(tmp_path / "old", "v6.1", "v5.1", tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_nothing_is_written_over(tmp_path: Path) -> None:
    filled(tmp_path / "old", *LEVELS)
    filled(tmp_path / "new", "mine.txt")
    with pytest.raises(UsageError, match="holds something already"):
        migrate(tmp_path / "old", "v5.1", "v6.1", tmp_path / "new")


@pytest.mark.parametrize("name", ["v4.0", "6.1"])
def test_an_unknown_round_lists_the_known_ones(tmp_path: Path, name: str) -> None:
    filled(tmp_path / "old", *LEVELS)
    with pytest.raises(UsageError, match=r"known are v5\.0"):
        migrate(tmp_path / "old", "v5.1", name, tmp_path / "new")


def test_what_can_not_be_copied_is_named(tmp_path: Path) -> None:
    filled(tmp_path / "old", *LEVELS)
    os.mkfifo(tmp_path / "old/closed/pipe")
    with pytest.raises(StorageError, match="pipe is neither a file nor a folder"):
        migrate(tmp_path / "old", "v5.1", "v6.1", tmp_path / "new")
    with pytest.raises(StorageError, match="can't be listed"):
        migrate(tmp_path / "nowhere", "v5.1", "v6.1", tmp_path / "new")


def test_a_folder_without_divisions_is_no_submission(tmp_path: Path) -> None:
    tree = filled(tmp_path / "tree", *LEVELS)
    with pytest.raises(UsageError, match="holds none of the folders closed"):
        migrate(tree / "closed", "v5.1", "v6.1", tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("inside", [".", "closed", "new", "closed/../new"])
def test_nothing_is_migrated_into_itself(tmp_path: Path, inside: str) -> None:
    tree = filled(tmp_path / "tree", *LEVELS)
    before = contents(tree)
    with pytest.raises(UsageError, match="lies in"):
        migrate(tree, "v5.1", "v6.1", tree / inside)
    assert contents(tree) == before
