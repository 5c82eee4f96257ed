"""Preparing a folder of images: the same bytes by any number of workers, and nothing half done."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import numpy as np
import pytest

from datasets.errors import DataError, UsageError
from datasets.images.imagenet import read_imagenet
from datasets.images.preparing import prepare_images
from datasets.images.preprocessing import decode_and_crop, mean_of
from datasets.samples.library import SampleLibrary
from tests.datasets.images import pictures
from tests.datasets.images.pictures import laid_out, write_folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "imagenet", 12)


@pytest.mark.parametrize(("layout", "shape"), [("NCHW", (3, 224, 224)), ("NHWC", (224, 224, 3))])
def test_each_row_is_its_image(
    root: Path, tmp_path: Path, layout: str, shape: tuple[int, ...]
) -> None:
    dataset = read_imagenet(root)
    prepared = prepare_images(dataset, layout, tmp_path / "cache")
    assert prepared.count == 12
    assert prepared.arrays["image"].shape == (12, *shape)
    assert prepared.arrays["image"].dtype == np.uint8
    assert np.array_equal(prepared.means["image"], mean_of(layout))
    for row, image in zip(prepared.arrays["image"], dataset.images, strict=True):
        crop = decode_and_crop(image.file.read(), image.name)
        assert np.array_equal(row, laid_out(crop, layout))


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
def test_a_loaded_image_is_what_the_reference_computes_to_the_last_bit(
    root: Path, tmp_path: Path, layout: str
) -> None:
    noise = np.random.default_rng(3).integers(0, 256, (256, 256, 3), np.uint8)
    (root / "val/picture_0004.JPEG").write_bytes(pictures.png(noise))
    library = SampleLibrary(prepare_images(read_imagenet(root), layout, tmp_path / "cache"))
    library.load([4, 9])
    (found,) = library.gather(np.array([4]))["image"]
    expected = noise[16:240, 16:240].astype(np.float32)
    expected -= np.array([123.68, 116.78, 103.94], np.float32)
    assert found.dtype == np.float32
    assert np.array_equal(found, expected.transpose(2, 0, 1) if layout == "NCHW" else expected)


def test_any_number_of_workers_makes_the_same_bytes(root: Path, tmp_path: Path) -> None:
    dataset = read_imagenet(root)
    made = {
        (prepared.key, hashlib.sha256((prepared.folder / "image.npy").read_bytes()).digest())
        for workers in (1, 3, 8)
        for prepared in [prepare_images(dataset, "NCHW", tmp_path / str(workers), workers=workers)]
    }
    assert len(made) == 1


def test_what_was_prepared_is_used_again(root: Path, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    dataset = read_imagenet(root)

    def progress(done: int, total: int) -> None:
        seen.append((done, total))

    first = prepare_images(dataset, "NCHW", tmp_path, progress)
    assert seen == [(done, 12) for done in range(1, 13)]
    again = prepare_images(dataset, "NCHW", tmp_path, progress)
    assert len(seen) == 12
    assert (again.folder, again.key) == (first.folder, first.key)


def test_layouts_do_not_share_a_store(root: Path, tmp_path: Path) -> None:
    dataset = read_imagenet(root)
    keys = {prepare_images(dataset, layout, tmp_path).key for layout in ("NCHW", "NHWC")}
    assert len(keys) == 2


def test_the_key_is_that_of_the_content(root: Path, tmp_path: Path) -> None:
    before = prepare_images(read_imagenet(root), "NCHW", tmp_path / "cache")
    touched = root / "val/picture_0004.JPEG"
    os.utime(touched, ns=(1, 1))
    after = prepare_images(read_imagenet(root), "NCHW", tmp_path / "cache")
    assert after.key == before.key
    touched.write_bytes(pictures.png(np.full((20, 24, 3), 77, np.uint8)))
    changed = prepare_images(read_imagenet(root), "NCHW", tmp_path / "cache")
    assert changed.key != before.key
    assert changed.arrays["image"][4, 0, 0, 0] == 77


def test_all_bad_images_are_listed_at_once(root: Path, tmp_path: Path) -> None:
    whole = pictures.jpeg(pictures.gradient())
    (root / "val/picture_0002.JPEG").write_bytes(whole[: len(whole) // 2])
    (root / "val/picture_0009.JPEG").write_bytes(b"<html>")
    with pytest.raises(DataError) as caught:
        prepare_images(read_imagenet(root), "NCHW", tmp_path / "cache", workers=3)
    message = str(caught.value)
    assert message.startswith("2 of 12 images can't be used.")
    assert "picture_0002.JPEG is a JPEG image cut short" in message
    assert "picture_0009.JPEG is an HTML page" in message
    assert not list((tmp_path / "cache").rglob("*.npy"))


def test_an_image_that_went_away_is_named(root: Path, tmp_path: Path) -> None:
    dataset = read_imagenet(root)
    (root / "val/picture_0005.JPEG").unlink()
    with pytest.raises(DataError, match=r"1 of 12 .*picture_0005\.JPEG can't be read"):
        prepare_images(dataset, "NCHW", tmp_path / "cache")


def test_an_unknown_layout_is_refused(root: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="use NCHW or NHWC"):
        prepare_images(read_imagenet(root), "CHWN", tmp_path)
