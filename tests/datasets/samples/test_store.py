"""Stores of prepared samples: whole or absent, whatever happens while one is built."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from datasets.errors import DataError
from datasets.samples.store import ArraySpec, Recipe, RowWriter, obtain, open_prepared

SPECS = (ArraySpec("answer", "float32", (5, 2)), ArraySpec("length", "int64", (5,)))


def fill(writers: Mapping[str, RowWriter]) -> str:
    writers["length"].write(0, np.arange(5))
    for row in (4, 1, 0, 3, 2):
        writers["answer"].write(row, np.full((1, 2), row, np.float32))
    return "k" * 64


def build(folder: Path) -> None:
    obtain(folder, lambda: Recipe(SPECS, fill))


def refuse() -> Recipe:
    raise AssertionError("a whole store was built again")


def build_and_die(folder: Path) -> None:
    def fill_half(writers: Mapping[str, RowWriter]) -> str:
        writers["length"].write(0, np.arange(5))
        os.kill(os.getpid(), signal.SIGKILL)
        return ""

    obtain(folder, lambda: Recipe(SPECS, fill_half))


def build_and_count(folder: Path) -> None:
    def fill_counted(writers: Mapping[str, RowWriter]) -> str:
        with (folder.parent / "built").open("a") as file:
            file.write("once\n")
        return fill(writers)

    obtain(folder, lambda: Recipe(SPECS, fill_counted))


def test_a_store_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    build(tmp_path / "store")
    prepared = open_prepared(tmp_path / "store")
    assert (prepared.count, prepared.key) == (5, "k" * 64)
    assert prepared.arrays["answer"].tolist() == [[row, row] for row in range(5)]
    assert prepared.arrays["length"].tolist() == [0, 1, 2, 3, 4]
    assert not prepared.arrays["answer"].flags.writeable


def test_a_mean_is_read_back_to_the_last_bit(tmp_path: Path) -> None:
    mean = np.array([[123.68], [116.78]], np.float32)
    made = obtain(tmp_path / "store", lambda: Recipe(SPECS, fill, {"answer": mean}))
    found = open_prepared(tmp_path / "store").means
    assert list(found) == list(made.means) == ["answer"]
    assert np.array_equal(found["answer"], mean)
    assert found["answer"].dtype == np.float32


def test_a_whole_store_is_not_built_again(tmp_path: Path) -> None:
    build(tmp_path / "store")
    assert obtain(tmp_path / "store", refuse).count == 5


@pytest.mark.parametrize("lost", ["manifest.json", "answer.npy"])
def test_a_store_that_lost_a_file_is_built_again(tmp_path: Path, lost: str) -> None:
    build(tmp_path / "store")
    (tmp_path / "store" / lost).unlink()
    with pytest.raises(DataError, match="prepare them again"):
        open_prepared(tmp_path / "store")
    build(tmp_path / "store")
    assert open_prepared(tmp_path / "store").count == 5


def test_a_cut_array_or_another_version_is_not_opened(tmp_path: Path) -> None:
    build(tmp_path / "store")
    array, manifest = tmp_path / "store/answer.npy", tmp_path / "store/manifest.json"
    whole = array.read_bytes()
    array.write_bytes(whole[:-4])
    with pytest.raises(DataError, match="holds no samples prepared by this version"):
        open_prepared(tmp_path / "store")
    array.write_bytes(whole)
    manifest.write_text(manifest.read_text().replace('"version": 2', '"version": 1'))
    with pytest.raises(DataError, match=r"it is loadproof\.prepared version 1"):
        open_prepared(tmp_path / "store")


def test_a_failed_build_leaves_nothing(tmp_path: Path) -> None:
    def fail(writers: Mapping[str, RowWriter]) -> str:
        raise DataError("this picture is bad")

    with pytest.raises(DataError, match="this picture is bad"):
        obtain(tmp_path / "store", lambda: Recipe(SPECS, fail))
    assert [path.name for path in tmp_path.iterdir()] == ["store.lock"]


def test_a_build_that_was_killed_is_done_again(tmp_path: Path) -> None:
    child = multiprocessing.get_context("fork").Process(
        target=build_and_die, args=(tmp_path / "store",)
    )
    child.start()
    child.join()
    assert child.exitcode == -signal.SIGKILL
    with pytest.raises(DataError):
        open_prepared(tmp_path / "store")
    build(tmp_path / "store")
    assert open_prepared(tmp_path / "store").arrays["answer"][4, 0] == 4
    assert not (tmp_path / "store.partial").exists()


def test_processes_that_ask_at_once_build_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    children = [
        context.Process(target=build_and_count, args=(tmp_path / "store",)) for _ in range(4)
    ]
    for child in children:
        child.start()
    for child in children:
        child.join()
    assert [child.exitcode for child in children] == [0] * 4
    assert (tmp_path / "built").read_text() == "once\n"


def test_a_full_disk_is_told_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=30))
    with pytest.raises(DataError, match=r"which has 0\.0 GB free: make room"):
        build(tmp_path / "store")


def test_room_that_an_interrupted_build_holds_is_not_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=30))
    (tmp_path / "store.partial").mkdir()
    (tmp_path / "store.partial/answer.npy").write_bytes(b"0" * 65536)
    build(tmp_path / "store")


def test_rows_of_another_type_are_not_written(tmp_path: Path) -> None:
    def fill_wrongly(writers: Mapping[str, RowWriter]) -> str:
        writers["answer"].write(0, np.zeros((1, 2)))
        return ""

    with pytest.raises(ValueError, match="don't fit"):
        obtain(tmp_path / "store", lambda: Recipe(SPECS, fill_wrongly))
