"""Calibration lists: which samples may decide the ranges of a quantised model's activations.

A list is text with one item a line: the name of an image, perhaps with its label behind it.
MLPerf's closed division allows its published lists alone, so the checksum of its bytes tells which
list one is.
The list of the embedded digits names some of those that fitted the model: none of them is scored.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from datasets.disk.files import atomic_write
from datasets.disk.regular import read_regular
from datasets.embedded.digits import FITTED, digit_name, write_calibration_images
from datasets.errors import DataError
from datasets.images.imagenet import ImageNet
from datasets.listing import listed

CALIBRATION_LISTS = {
    "resnet50": ("imagenet-calibration-1", "imagenet-calibration-2"),
    "bert": ("squad-calibration-features", "squad-calibration-questions"),
}
"""Benchmark → MLCommons' lists by their names among the sources, the default one first."""
DIGITS = 100
"""Items of the embedded list: every twelfth digit of those that fitted the model."""


@dataclass(frozen=True)
class CalibrationList:
    """Items in the order of the list."""

    name: str
    sha256: str
    """Of the list's bytes."""
    items: tuple[str, ...]


def read_calibration_list(path: Path) -> CalibrationList:
    """The list in a file; DataError where it is no text, names nothing, or an item twice."""
    try:
        content = read_regular(path)
        text = content.decode("utf-8-sig")
    except OSError as error:
        raise DataError(f"The calibration list {path} can't be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise DataError(
            f"{path} is no text, so it is no calibration list; fetch it again."
        ) from error
    items = tuple(line.split()[0] for line in text.splitlines() if line.strip())
    if not items:
        raise DataError(f"The calibration list {path} is empty; fetch it again.")
    repeated = sorted({item for item in items if items.count(item) > 1})
    if repeated:
        raise DataError(f"The calibration list {path} names {listed(repeated)} more than once.")
    return CalibrationList(path.name, hashlib.sha256(content).hexdigest(), items)


def write_digits_calibration(cache: Path) -> tuple[Path, Path]:
    """The digits of the embedded list in ImageNet layout, and the list itself, below ``cache``."""
    numbers = tuple(range(0, FITTED, FITTED // DIGITS))
    folder = write_calibration_images(cache, numbers)
    path = folder / "calibration.txt"
    with atomic_write(path) as file:
        file.writelines(f"{digit_name(number)}\n".encode() for number in numbers)
    return folder, path


def chosen_images(images: ImageNet, wanted: CalibrationList) -> ImageNet:
    """The images that the list names, in its order; DataError lists those that are missing."""
    known = {PurePosixPath(image.name).name: image for image in images.images}
    missing = [item for item in wanted.items if PurePosixPath(item).name not in known]
    if missing:
        raise DataError(
            f"{images.root} lacks {listed(missing)} of the calibration list {wanted.name}: it "
            "needs those images to be quantised by."
        )
    found = tuple(known[PurePosixPath(item).name] for item in wanted.items)
    identity = hashlib.sha256(f"{images.sha256} {wanted.sha256}".encode()).hexdigest()
    return replace(images, name=f"{images.name}-calibration", images=found, sha256=identity)
