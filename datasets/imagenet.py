"""An ImageNet-layout folder: images, and a label map that names every one of them.

The images lie in the folder itself or in its ``val``. What is returned has passed these checks:
every image that the map names is there and not empty, and every image that is there is named.
Nothing is decoded here; a bad picture shows when the images are prepared, where each is read
anyway.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from datasets.errors import DataError
from datasets.labels import LabelRow, read_labels

MAP_NAMES = ("val_map.txt", "val.txt")
IMAGE_SUFFIXES = frozenset({".jpeg", ".jpg", ".png"})
_LISTED = 20


@dataclass(frozen=True)
class Image:
    """One image of the dataset."""

    index: int
    """The row of the label map, from 0; in a whole dataset also its place in ``images``."""
    name: str
    path: Path
    label: int
    size_bytes: int
    modified_ns: int


@dataclass(frozen=True)
class ImageNet:
    """Images in the order of the label map. Sample i of a run is ``images[i]``."""

    name: str
    root: Path
    images: tuple[Image, ...]
    sha256: str
    """Over names, labels and sizes of the images, in order. It stays when the folder is copied; it
    does not see a change that keeps a file's size: the key of the prepared images does."""
    skipped: tuple[str, ...] = ()
    """Names in the label map without an image, where a subset was allowed."""


def read_imagenet(
    root: Path, labels: Path | None = None, *, allow_subset: bool = False, name: str = "imagenet"
) -> ImageNet:
    """Read the folder ``root``; ``labels`` is its label map where it isn't in the folder.

    With ``allow_subset``, images that are missing or empty are left out, and images without a
    label are passed over; the others keep their own index and label. DataError lists every image
    that is missing or empty, or else the images that have no label.
    """
    folder = _image_folder(root)
    label_map = labels or _find_label_map(root)
    rows = read_labels(label_map)
    images, absent, empty = _find_images(folder, rows)
    if not allow_subset:
        _refuse_gaps(folder, len(rows), absent, empty)
        _refuse_unlabelled(folder, rows, label_map)
    if not images:
        raise DataError(f"{folder} has none of the {len(rows)} images that {label_map} names.")
    return ImageNet(
        name=name,
        root=root,
        images=images,
        sha256=_identity(images),
        skipped=(*absent, *empty),
    )


def _image_folder(root: Path) -> Path:
    if not root.is_dir():
        raise DataError(f"There is no folder {root} to read images from.")
    return root / "val" if (root / "val").is_dir() else root


def _find_label_map(root: Path) -> Path:
    candidates = [folder / name for folder in (root, root / "val") for name in MAP_NAMES]
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    wanted = " or ".join(MAP_NAMES)
    raise DataError(f"{root} has no label map: put {wanted} there, or name the file.")


def _find_images(
    folder: Path, rows: Sequence[LabelRow]
) -> tuple[tuple[Image, ...], list[str], list[str]]:
    """(images that can be used, names without a file, names with an empty file)."""
    images, absent, empty = [], [], []
    for index, row in enumerate(rows):
        path = folder / row.name
        if not path.is_file():
            absent.append(row.name)
            continue
        status = path.stat()
        if status.st_size == 0:
            empty.append(row.name)
            continue
        size, modified = status.st_size, status.st_mtime_ns
        images.append(Image(index, row.name, path, row.label, size, modified))
    return tuple(images), absent, empty


def _refuse_gaps(folder: Path, count: int, absent: list[str], empty: list[str]) -> None:
    found = [
        f"{len(names)} {problem} ({_some(names)})"
        for names, problem in ((absent, "missing"), (empty, "empty"))
        if names
    ]
    if found:
        raise DataError(
            f"Of {count} images in {folder}, {' and '.join(found)}: "
            "fetch them again, or allow a subset on purpose."
        )


def _refuse_unlabelled(folder: Path, rows: Sequence[LabelRow], label_map: Path) -> None:
    labelled = {row.name for row in rows}
    unlabelled = sorted(
        path.name
        for path in folder.iterdir()
        if path.suffix.lower() in IMAGE_SUFFIXES and path.name not in labelled
    )
    if unlabelled:
        raise DataError(
            f"{label_map} ends at line {rows[-1].line} with {len(rows)} rows and has none for "
            f"{_some(unlabelled)} in {folder}: add the missing rows, or allow a subset on purpose."
        )


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more


def _identity(images: Iterable[Image]) -> str:
    digest = hashlib.sha256()
    for image in images:
        digest.update(f"{image.index}\0{image.name}\0{image.label}\0{image.size_bytes}\n".encode())
    return digest.hexdigest()
