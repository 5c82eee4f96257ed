"""A preparation that was killed goes on where it was, and ends in the same bytes."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import signal
import time
from pathlib import Path

import pytest

from datasets.errors import DataError
from datasets.images.imagenet import read_imagenet
from datasets.images.preparing import prepare_images
from datasets.samples import checkpoints
from tests.datasets.images.pictures import write_folder

COUNT = 60
ROWS = 4
"""Between checkpoints."""
WAIT_S = 60.0


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "CHECKPOINT_ROWS", ROWS)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "imagenet", COUNT)


def digests(folder: Path) -> dict[str, str]:
    """What a finished store holds, by file."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


def prepare(root: Path, cache: Path, workers: int = 2) -> tuple[dict[str, str], list[int]]:
    """(what the store holds, the numbers of images that were told as done)."""
    seen: list[int] = []

    def progress(done: int, total: int) -> None:
        assert total == COUNT
        seen.append(done)

    folder = prepare_images(read_imagenet(root), "NCHW", cache, progress, workers).folder
    return digests(folder), seen


def journal_of(cache: Path) -> Path | None:
    return next(iter(cache.rglob("image.journal")), None)


def prepare_and_die(root: Path, cache: Path, when: int, journalled: int) -> None:
    checkpoints.CHECKPOINT_ROWS = ROWS

    def progress(done: int, total: int) -> None:
        if done < when:
            return
        deadline = time.monotonic() + WAIT_S
        while journalled and time.monotonic() < deadline:
            journal = journal_of(cache)
            if journal is not None and journal.stat().st_size >= journalled * 32:
                break
            time.sleep(0.005)
        os.kill(os.getpid(), signal.SIGKILL)

    prepare_images(read_imagenet(root), "NCHW", cache, progress, 2)


def die(root: Path, cache: Path, when: int) -> int:
    """Kill a preparation when ``when`` images are done; how many it had journalled."""
    sure = (when - 1) // ROWS * ROWS
    child = multiprocessing.get_context("spawn").Process(
        target=prepare_and_die, args=(root, cache, when, sure), daemon=True
    )
    child.start()
    child.join(WAIT_S)
    assert child.exitcode == -signal.SIGKILL
    return sure


@pytest.mark.parametrize("when", [1, 5, 33, COUNT])
def test_a_killed_preparation_goes_on_and_ends_in_the_same_bytes(
    root: Path, tmp_path: Path, when: int
) -> None:
    sure = die(root, tmp_path / "cache", when)
    made, seen = prepare(root, tmp_path / "cache", workers=3)
    assert seen == list(range(seen[0], COUNT + 1))
    assert seen[0] >= max(1, sure)
    assert made == prepare(root, tmp_path / "whole", workers=1)[0]
    assert set(made) == {"image.npy", "manifest.json"}


def test_it_may_be_killed_again_and_again(root: Path, tmp_path: Path) -> None:
    for when in (9, 41):
        die(root, tmp_path / "cache", when)
    made, seen = prepare(root, tmp_path / "cache")
    assert seen[0] >= 40
    assert made == prepare(root, tmp_path / "whole")[0]


def test_a_journal_that_was_torn_or_lost_its_array_promises_nothing_wrong(
    root: Path, tmp_path: Path
) -> None:
    whole = prepare(root, tmp_path / "whole")[0]
    die(root, tmp_path / "torn", 30)
    journal = journal_of(tmp_path / "torn")
    assert journal is not None
    journal.write_bytes(journal.read_bytes()[: 10 * 32 + 7])
    made, seen = prepare(root, tmp_path / "torn")
    assert (made, seen[0]) == (whole, 10)

    die(root, tmp_path / "lost", 30)
    next((tmp_path / "lost").rglob("image.npy")).unlink()
    made, seen = prepare(root, tmp_path / "lost")
    assert (made, seen[0]) == (whole, 1)


def test_an_image_changed_meanwhile_is_not_taken_from_before(root: Path, tmp_path: Path) -> None:
    die(root, tmp_path / "cache", 30)
    changed = root / "val/picture_0002.JPEG"
    changed.write_bytes((root / "val/picture_0050.JPEG").read_bytes())
    made, seen = prepare(root, tmp_path / "cache")
    assert seen == list(range(1, COUNT + 1))
    assert made == prepare(root, tmp_path / "whole")[0]


def test_a_bad_image_found_after_a_kill_is_named_and_nothing_is_kept(
    root: Path, tmp_path: Path
) -> None:
    bad = root / "val/picture_0050.JPEG"
    bad.write_bytes(b"<html>" + bytes(100))
    die(root, tmp_path / "cache", 30)
    with pytest.raises(DataError, match=r"1 of 60 images can't be used\. .*picture_0050\.JPEG is"):
        prepare(root, tmp_path / "cache")
    assert not list((tmp_path / "cache").rglob("*.partial"))
