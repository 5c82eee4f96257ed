"""A folder is changed as a whole or not at all."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from audit.submission.packaging import exchange
from audit.submission.packaging.staging import remove, staged, write
from datasets.errors import StorageError
from tests.conftest import ROOT


def contents(root: Path) -> dict[str, str]:
    return {
        str(path.relative_to(root)): path.read_text("utf-8")
        for path in root.rglob("*")
        if path.is_file()
    }


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    write(tmp_path / "tree", "open/Lab/results/a.txt", b"old")
    write(tmp_path / "tree", "open/Lab/results/b.txt", b"kept")
    return tmp_path / "tree"


@pytest.fixture(params=["in one step", "in two steps"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "in two steps":
        monkeypatch.setattr(exchange, "_exchanged", lambda new, place: False)


def test_a_place_where_nothing_can_be_made_is_named_as_it_was_asked_for() -> None:
    with pytest.raises(FileNotFoundError) as caught, staged(Path("/proc/tree"), "open/Lab"):
        pass
    assert caught.value.filename == "/proc/tree"


@pytest.mark.usefixtures("way")
def test_what_is_there_stays_and_the_new_is_added(tree: Path) -> None:
    with staged(tree, "open/Lab") as folder:
        write(folder, "results/a.txt", b"new")
        write(folder, "results/c.txt", b"more")
    expected = {"a.txt": "new", "b.txt": "kept", "c.txt": "more"}
    assert contents(tree / "open/Lab/results") == expected
    assert [path.name for path in tree.parent.iterdir()] == ["tree"]


@pytest.mark.usefixtures("way")
def test_an_error_leaves_all_as_it_was(tree: Path) -> None:
    before = contents(tree)
    with pytest.raises(RuntimeError), staged(tree, "open/Lab") as folder:
        write(folder, "results/a.txt", b"new")
        remove(folder, "results")
        raise RuntimeError
    assert contents(tree) == before
    assert [path.name for path in tree.parent.iterdir()] == ["tree"]


def test_a_new_tree_is_made_only_when_all_is_there(tmp_path: Path) -> None:
    new = tmp_path / "some" / "tree"
    with pytest.raises(RuntimeError), staged(new, "open/Lab") as folder:
        write(folder, "a.txt", b"new")
        raise RuntimeError
    assert not (tmp_path / "some").exists()
    with staged(new, "open/Lab") as folder:
        write(folder, "a.txt", b"new")
        assert not new.exists()
    assert contents(new) == {"open/Lab/a.txt": "new"}


def test_a_full_disk_is_told_with_the_file_and_leaves_all_as_it_was(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(tree)

    def full(source: object, target: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copyfile", full)
    with pytest.raises(OSError, match="No space left") as caught, staged(tree, "open/Lab") as one:
        write(one, "results/c.txt", tree / "open/Lab/results/a.txt")
    assert str(caught.value.filename).endswith("results/c.txt")
    assert contents(tree) == before


def test_the_old_folder_comes_back_where_the_new_one_cannot_follow(
    tree: Path, tmp_path: Path
) -> None:
    before = contents(tree)
    with pytest.raises(FileNotFoundError):
        exchange._in_two_steps(tmp_path / "nothing", tree, tmp_path / "aside")
    assert contents(tree) == before


def test_a_tree_that_nothing_may_be_written_beside(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: path == tree)
    with staged(tree, "open/Lab") as folder:
        assert folder.is_relative_to(tree)
        write(folder, "results/c.txt", b"more")
    assert set(contents(tree)) == {f"open/Lab/results/{one}.txt" for one in "abc"}


def test_two_at_a_time_lose_nothing(tree: Path) -> None:
    def add(number: int) -> None:
        with staged(tree, "open/Lab") as folder:
            write(folder, f"results/{number}.txt", b"")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add, range(8)))
    assert len(list((tree / "open/Lab/results").iterdir())) == 10


def test_a_kill_leaves_no_half_tree(tree: Path) -> None:
    before = contents(tree)
    script = (
        "import os, signal, sys; from pathlib import Path\n"
        "from audit.submission.packaging.staging import staged, write\n"
        "with staged(Path(sys.argv[1]), 'open/Lab') as folder:\n"
        "    write(folder, 'results/a.txt', b'half')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    ended = subprocess.run([sys.executable, "-c", script, str(tree)], cwd=ROOT, check=False)
    assert ended.returncode == -signal.SIGKILL
    assert contents(tree) == before
    assert len(list(tree.parent.iterdir())) == 2
    with staged(tree, "open/Lab"):
        pass
    assert [path.name for path in tree.parent.iterdir()] == ["tree"]


def test_what_a_killed_process_moved_aside_stays(tree: Path) -> None:
    aside = tree.parent / ".tree.packing-killed" / "old"
    write(aside, "a.txt", b"all there is")
    other = tree.parent / ".tree2.packing-of-another"
    other.mkdir()
    with staged(tree, "open/Lab"):
        pass
    assert (aside / "a.txt").exists()
    assert other.is_dir()


def test_a_file_that_cannot_be_copied_is_named_in_full(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(source: object, target: object, **_: object) -> None:
        raise PermissionError(13, "Permission denied", str(source))

    monkeypatch.setattr(os, "link", refused)
    monkeypatch.setattr(shutil, "copy2", refused)
    named = f"{tree}/open/Lab/results/[ab].txt can't be copied"
    with pytest.raises(StorageError, match=named), staged(tree, "open/Lab"):
        pass
