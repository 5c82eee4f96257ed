"""An ImageNet-layout dataset: images, and a label for every one of them.

The images lie in a folder, flat or in class folders, or in a tar archive. A label goes to an image
by the image's name. What is returned has passed these checks: every image that there should be is
there and not empty, and every image that is there has a label. Nothing is decoded here; a bad
picture shows when the images are prepared, where each is read anyway.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from datasets.errors import DataError
from datasets.fetching.sources import Source
from datasets.images.class_folders import expect_by_folder, in_class_folders
from datasets.images.expected import Expected, ExpectedImage
from datasets.images.extent import Extent
from datasets.images.label_files import ARCHIVE_NAME, MAP_NAMES, Labels, find_labels
from datasets.images.tree import ImageTree, read_tree
from datasets.listing import listed


@dataclass(frozen=True)
class Image:
    """One image of the dataset."""

    index: int
    """Its place in the whole dataset, from 0; where nothing was left out, also in ``images``."""
    name: str
    label: int
    file: Extent


@dataclass(frozen=True)
class ImageNet:
    """Images in the order of the whole dataset. Sample i of a run is ``images[i]``."""

    name: str
    root: Path
    images: tuple[Image, ...]
    sha256: str
    """Over names, labels and sizes of the images, in order. It is the same for a folder, its copy
    and its archive; it does not see a change that keeps a file's size: the key of the prepared
    images does."""
    skipped: tuple[str, ...] = ()
    """Names of the images that are missing or empty, where a subset was allowed."""
    published: Source | None = None
    """What the archive ``root`` claims to be; its checksum is compared while images are read."""


def read_imagenet(
    root: Path, labels: Path | None = None, *, allow_subset: bool = False, name: str = "imagenet"
) -> ImageNet:
    """Read the folder or tar archive ``root``; ``labels`` is its label map, list of WordNet ids or
    archive of both where it isn't beside the images.

    With ``allow_subset``, images that are missing or empty are left out, and images without a
    label are passed over; the others keep their own index and label. DataError lists every image
    that is missing or empty, or else the images that have no label.
    """
    tree = read_tree(root)
    expected = _expected(tree, find_labels(root, tree, labels), root)
    images, absent, empty = _find(tree, expected)
    if not allow_subset:
        _refuse_gaps(tree, expected, absent, empty)
        _refuse_unlabelled(tree, expected)
    if not images:
        raise DataError(
            f"{tree.where} has none of the {expected.count} images that it should have: "
            f"{expected.source}."
        )
    return ImageNet(
        name=name,
        root=tree.where,
        images=images,
        sha256=_identity(images),
        skipped=(*absent, *empty),
        published=tree.published,
    )


def _expected(tree: ImageTree, labels: Labels | None, root: Path) -> Expected:
    """The images that there should be: as a label map names them, else as class folders do."""
    classed = in_class_folders(tree)
    if labels is not None and labels.rows:
        by_name = _expect_by_name(tree, labels, classed)
        if not classed or not labels.synsets or any(row.file in tree.files for row in by_name):
            return Expected(by_name, labels.end)
    if not classed:
        wanted = ", ".join((*MAP_NAMES, ARCHIVE_NAME))
        raise DataError(
            f"{root} has no label map: put one of {wanted} there, or name the file, or sort the "
            "images into class folders."
        )
    return expect_by_folder(tree, classed, labels.synsets if labels else ())


def _expect_by_name(
    tree: ImageTree, labels: Labels, classed: dict[str, str]
) -> tuple[ExpectedImage, ...]:
    return tuple(
        ExpectedImage(
            index,
            row.name,
            row.name if row.name in tree.files else classed.get(row.name, row.name),
            row.label,
        )
        for index, row in enumerate(labels.rows)
    )


def _find(tree: ImageTree, expected: Expected) -> tuple[tuple[Image, ...], list[str], list[str]]:
    """(images that can be used, names without a file, names with an empty file)."""
    images, absent, empty = [], list(expected.absent), []
    for row in expected.images:
        file = tree.files.get(row.file)
        if file is None:
            absent.append(row.name)
        elif file.size_bytes == 0:
            empty.append(row.name)
        else:
            images.append(Image(row.index, row.name, row.label, file))
    return tuple(images), absent, empty


def _refuse_gaps(tree: ImageTree, expected: Expected, absent: list[str], empty: list[str]) -> None:
    found = [
        f"{len(names)} {problem} ({listed(names)})"
        for names, problem in ((absent, "missing"), (empty, "empty"))
        if names
    ]
    if found:
        raise DataError(
            f"Of {expected.count} images in {tree.where}, {' and '.join(found)}: "
            "fetch them again, or allow a subset on purpose."
        )


def _refuse_unlabelled(tree: ImageTree, expected: Expected) -> None:
    labelled = {row.file for row in expected.images}
    unlabelled = sorted(name for name in tree.image_names() if name not in labelled)
    if unlabelled:
        raise DataError(
            f"{expected.source} and has no label for {listed(unlabelled)} in {tree.where}: "
            "add what is missing, or allow a subset on purpose."
        )


def _identity(images: Iterable[Image]) -> str:
    digest = hashlib.sha256()
    for image in images:
        text = f"{image.index}\0{image.name}\0{image.label}\0{image.file.size_bytes}\n"
        digest.update(text.encode())
    return digest.hexdigest()
