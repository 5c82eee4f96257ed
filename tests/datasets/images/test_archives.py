"""Images in a tar archive: the same dataset as in a folder, and no other archive than it says."""

from __future__ import annotations

import hashlib
import io
import tarfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from datasets.errors import DataError
from datasets.fetching.sources import Source, source
from datasets.images import archives
from datasets.images.imagenet import read_imagenet
from datasets.images.preparing import prepare_images
from tests.datasets.images.pictures import write_folder

COUNT = 12


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_folder(tmp_path / "imagenet", COUNT)


def packed(root: Path, top: str, path: Path) -> Path:
    """The images of ``root`` as an archive, under the folder ``top`` of it."""
    with tarfile.open(path, "w") as archive:
        for image in sorted((root / "val").iterdir()):
            archive.add(image, f"{top}{image.name}")
    return path


def pretend_published(monkeypatch: pytest.MonkeyPatch, size_bytes: int | None, md5: str) -> None:
    """Let the published archives have another size and checksum."""

    def other(name: str) -> Source:
        return replace(source(name), size_bytes=size_bytes, md5=md5, sha256=None)

    monkeypatch.setattr(archives, "source", other)


@pytest.mark.parametrize("top", ["", "./", "val/", "ILSVRC2012_img_val_500/", "data/val/"])
def test_an_archive_is_the_same_dataset_as_its_folder(root: Path, tmp_path: Path, top: str) -> None:
    archive = packed(root, top, tmp_path / "images.tar")
    found, folder = read_imagenet(archive, root / "val_map.txt"), read_imagenet(root)
    assert found.sha256 == folder.sha256
    for image, original in zip(found.images, folder.images, strict=True):
        assert (image.index, image.name, image.label) == (
            original.index,
            original.name,
            original.label,
        )
        assert image.file.read() == original.file.read()


def test_an_archive_is_prepared_to_the_same_samples_as_its_folder(
    root: Path, tmp_path: Path
) -> None:
    archive = read_imagenet(packed(root, "", tmp_path / "images.tar"), root / "val_map.txt")
    made = prepare_images(archive, "NCHW", tmp_path / "cache", workers=2)
    other = prepare_images(read_imagenet(root), "NCHW", tmp_path / "cache")
    assert made.folder != other.folder
    assert made.key == other.key
    assert np.array_equal(made.arrays["image"], other.arrays["image"])


def test_labels_lie_beside_the_archive_or_in_it(root: Path, tmp_path: Path) -> None:
    beside = packed(root, "", root / "images.tar")
    assert read_imagenet(beside).images[3].label == 30
    inside = tmp_path / "whole.tar"
    with tarfile.open(inside, "w") as archive:
        archive.add(root / "val", "set/val")
        archive.add(root / "val_map.txt", "set/val_map.txt")
    assert read_imagenet(inside).sha256 == read_imagenet(root).sha256


def test_a_bad_image_in_an_archive_is_named_with_it(root: Path, tmp_path: Path) -> None:
    (root / "val/picture_0002.JPEG").write_bytes(b"<html>")
    (root / "val/picture_0005.JPEG").write_bytes(b"")
    archive = packed(root, "", tmp_path / "images.tar")
    labels = root / "val_map.txt"
    with pytest.raises(DataError, match=r"1 empty \(picture_0005\.JPEG\)"):
        read_imagenet(archive, labels)
    (root / "val/picture_0005.JPEG").write_bytes(b"GIF89a")
    dataset = read_imagenet(packed(root, "", archive), labels)
    with pytest.raises(
        DataError, match=r"2 of 12 .*picture_0002\.JPEG in .*images\.tar is an HTML"
    ):
        prepare_images(dataset, "NCHW", tmp_path / "cache")


def test_an_archive_that_was_cut_is_refused(root: Path, tmp_path: Path) -> None:
    archive = packed(root, "", tmp_path / "images.tar")
    archive.write_bytes(archive.read_bytes()[:6000])
    with pytest.raises(DataError, match=r"images\.tar can't be read as a tar archive"):
        read_imagenet(archive, root / "val_map.txt")


def test_a_compressed_archive_is_to_be_unpacked_first(root: Path, tmp_path: Path) -> None:
    path = tmp_path / "images.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        archive.addfile(tarfile.TarInfo("a.JPEG"), io.BytesIO())
    with pytest.raises(DataError, match="unpack it first where it is compressed"):
        read_imagenet(path, root / "val_map.txt")


def test_a_published_name_with_another_size_is_refused_unread(root: Path, tmp_path: Path) -> None:
    path = tmp_path / "ILSVRC2012_img_val.tar"
    path.write_bytes(bytes(100))
    with pytest.raises(
        DataError, match=r"val\.tar has 100 bytes, but the published .* has 6744924160: fetch"
    ):
        read_imagenet(path, root / "val_map.txt")


def test_a_folder_that_holds_only_the_published_archive_is_that_archive(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "downloads"
    folder.mkdir()
    path = packed(root, "", folder / "ILSVRC2012_img_val_500.tar")
    (root / "val_map.txt").rename(folder / "val_map.txt")
    pretend_published(monkeypatch, None, hashlib.md5(path.read_bytes()).hexdigest())
    dataset = read_imagenet(folder)
    assert dataset.root == path
    assert prepare_images(dataset, "NHWC", tmp_path / "cache").count == COUNT


def test_a_published_archive_with_another_checksum_is_not_prepared(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = packed(root, "", tmp_path / "ILSVRC2012_img_val.tar")
    pretend_published(monkeypatch, path.stat().st_size, "0" * 32)
    dataset = read_imagenet(path, root / "val_map.txt")
    with pytest.raises(DataError, match=rf"val\.tar has the MD5 .* where {'0' * 32} was promised"):
        prepare_images(dataset, "NCHW", tmp_path / "cache", workers=2)
    assert not list((tmp_path / "cache").rglob("*.npy"))
