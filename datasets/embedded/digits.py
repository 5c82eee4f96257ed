"""The embedded images: real handwritten digits with real labels, and nothing to download.

They are "Optical Recognition of Handwritten Digits" (UCI, CC BY 4.0; see digits.txt). The first
1,200 fitted the embedded ResNet-50 and the next 500 score it: the two never meet, and as the
published order goes from writer to writer, the score tells how the model reads other hands. A
digit is 8 x 8 and is enlarged by a whole number, with a frame of paper, to 256 x 256: the standard
preprocessing finds its short side of 256 and cuts away exactly the frame, so it changes no pixel.
Scores on these images are not MLPerf results.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from datasets.disk.files import atomic_write
from datasets.embedded.digits_png import grey_png

FITTED = 1200
SCORED = 500
INK = 16
"""The value of a cell that is wholly inked."""
FRAME = 16
"""Width of the frame of paper, in pixels: (256 - 224) / 2."""
_FACTOR = 28


@dataclass(frozen=True)
class Digits:
    """Some of the digits, in their published order."""

    number: NDArray[np.int64]
    """[N]: their places among all 1,797, from 0."""
    cells: NDArray[np.uint8]
    """[N,8,8]: 0 for paper to 16 for ink."""
    labels: NDArray[np.uint8]
    """[N]: 0 to 9."""

    def __len__(self) -> int:
        return len(self.labels)


def calibration_digits() -> Digits:
    """The 1,200 digits that fitted the model; also fit to calibrate a quantised one."""
    return _take(slice(FITTED))


def scored_digits() -> Digits:
    """The 500 digits that a run is scored on, none of them among the fitted."""
    return _take(slice(FITTED, FITTED + SCORED))


def enlarge(cells: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Grey pictures uint8 [N,256,256] of digits [N,8,8]: paper is 0, ink 255."""
    grey = ((cells.astype(np.uint16) * 255 + INK // 2) // INK).astype(np.uint8)
    large = grey.repeat(_FACTOR, axis=1).repeat(_FACTOR, axis=2)
    return np.pad(large, ((0, 0), (FRAME, FRAME), (FRAME, FRAME)))


def write_digit_images(cache: Path) -> Path:
    """The folder under ``cache`` with the scored digits in ImageNet layout, made where needed."""
    return _write_images(cache / "embedded-digits", scored_digits())


def write_calibration_images(cache: Path, numbers: Sequence[int]) -> Path:
    """Likewise those of the fitted digits that have the places ``numbers``."""
    fitted = calibration_digits()
    rows = list(numbers)
    chosen = Digits(fitted.number[rows], fitted.cells[rows], fitted.labels[rows])
    return _write_images(cache / "embedded-digits-calibration", chosen)


def _write_images(folder: Path, digits: Digits) -> Path:
    """``folder``, holding ``val/*.png`` and ``val_map.txt``, which is written last.

    Every byte is known beforehand, so only files that are absent or differ are written, each
    atomically: interrupted work is finished, damage is mended, and two processes can't disagree.
    """
    for name, content in digit_files(digits):
        path = folder / name
        if not _holds(path, content):
            with atomic_write(path) as file:
                file.write(content)
    return folder


def digit_name(number: int) -> str:
    """The file name of the digit at a place among all."""
    return f"digit_{number:04d}.png"


def digit_files(digits: Digits) -> Iterator[tuple[str, bytes]]:
    """Names, relative to the folder, and whole contents of its files; the label map comes last.

    Lines of the map are ``val/NAME LABEL``.
    """
    names = [f"val/{digit_name(int(number))}" for number in digits.number]
    for name, cells in zip(names, digits.cells, strict=True):
        yield name, grey_png(enlarge(cells[np.newaxis])[0])
    lines = (f"{name} {label}\n" for name, label in zip(names, digits.labels, strict=True))
    yield "val_map.txt", "".join(lines).encode()


def _holds(path: Path, content: bytes) -> bool:
    return path.is_file() and path.stat().st_size == len(content) and path.read_bytes() == content


def _take(part: slice) -> Digits:
    published = _published()
    return Digits(published.number[part], published.cells[part], published.labels[part])


@functools.cache
def _published() -> Digits:
    with np.load(Path(__file__).with_name("digits.npz"), allow_pickle=False) as data:
        cells, labels = data["images"], data["labels"]
    return Digits(np.arange(len(labels), dtype=np.int64), cells, labels)
