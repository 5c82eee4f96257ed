"""Labels from folders: an image's class is the folder that it lies in, called by its WordNet id.

The images are put in the order of their file names, which is the order of the label map, so a
sample has the same index in either layout. Images of the validation set carry their number in
their name: it is their index, and it tells which of the 50,000 are missing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from datasets.errors import DataError
from datasets.images.expected import Expected, ExpectedImage
from datasets.images.synsets import CLASSES, WNID
from datasets.images.tree import ImageTree
from datasets.listing import listed

VALIDATION_IMAGES = 50_000
_VALIDATION_NAME = re.compile(r"ILSVRC2012_val_([0-9]{8})\.JPEG")


def in_class_folders(tree: ImageTree) -> dict[str, str]:
    """The images that lie in class folders: their own name, to the one with the folder.

    DataError where two folders hold an image of one name.
    """
    found: dict[str, str] = {}
    for name in tree.image_names():
        folder, _, own = name.rpartition("/")
        if WNID.fullmatch(folder):
            earlier = found.setdefault(own, name)
            if earlier != name:
                raise DataError(
                    f"{tree.where} has two images {own}, {earlier} and {name}: keep one of them."
                )
    return found


def expect_by_folder(tree: ImageTree, images: dict[str, str], synsets: Sequence[str]) -> Expected:
    """The images that there should be, from the class folders of ``images``.

    ``synsets`` are the ids of all classes; where it is empty, the folders must be all 1,000.
    """
    names = sorted(images)
    classes = _class_of(tree, {_wnid(images[name]) for name in names}, synsets)
    numbers = [_VALIDATION_NAME.fullmatch(name) for name in names]
    indices = [int(number[1]) - 1 for number in numbers if number]
    numbered = len(indices) == len(names) and max(indices) < VALIDATION_IMAGES
    if not numbered:
        indices = list(range(len(names)))
    rows = [
        ExpectedImage(index, name, images[name], classes[_wnid(images[name])])
        for index, name in zip(indices, names, strict=True)
    ]
    absent = _absent(set(indices)) if numbered else ()
    return Expected(tuple(rows), f"{tree.where} has class folders", absent)


def _wnid(name: str) -> str:
    return PurePosixPath(name).parts[0]


def _class_of(tree: ImageTree, found: set[str], synsets: Sequence[str]) -> dict[str, int]:
    if not synsets and len(found) != CLASSES:
        raise DataError(
            f"{tree.where} has {len(found)} class folders: without all {CLASSES} of them, or a "
            "label map, a list of the WordNet ids is needed; name synsets.txt or "
            "caffe_ilsvrc12.tar.gz as labels."
        )
    classes = {wnid: label for label, wnid in enumerate(synsets or sorted(found))}
    unknown = sorted(found - classes.keys())
    if unknown:
        raise DataError(
            f"{tree.where} has folders of classes that are not listed: {listed(unknown)}."
        )
    return classes


def _absent(indices: set[int]) -> tuple[str, ...]:
    missing = (index for index in range(VALIDATION_IMAGES) if index not in indices)
    return tuple(f"ILSVRC2012_val_{index + 1:08}.JPEG" for index in missing)
