"""Pictures by formula, and image files made from them."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.images.preprocessing import lay_out, row_shape

ORIENTATION_TAG = 0x112


def gradient(width: int = 400, height: int = 300) -> NDArray[np.uint8]:
    """RGB [height, width, 3]: red grows to the right, green downwards, blue along both."""
    y, x = np.mgrid[0:height, 0:width]
    right, down = max(width - 1, 1), max(height - 1, 1)
    channels = (x * 255 // right, y * 255 // down, (x + y) * 255 // (right + down))
    return np.stack(channels, axis=-1).astype(np.uint8)


def laid_out(crop: NDArray[np.uint8], layout: str) -> NDArray[np.uint8]:
    """A row of its own, of what may have been in it before, with ``crop`` [224, 224, 3]."""
    row = np.full(row_shape(layout), 77, np.uint8)
    lay_out(crop, layout, row)
    return row


def png(image: NDArray[Any]) -> bytes:
    """``image`` [H, W], RGB or RGBA, as a PNG file."""
    return _encoded(".png", image)


def jpeg(image: NDArray[Any], quality: int = 95) -> bytes:
    """``image`` [H, W] or RGB as a JPEG file."""
    return _encoded(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])


def with_segment(file: bytes, content: bytes) -> bytes:
    """A JPEG ``file`` with an application segment (APP1) behind its first marker."""
    length = struct.pack(">H", len(content) + 2)
    return file[:2] + b"\xff\xe1" + length + content + file[2:]


def exif_orientation(orientation: int) -> bytes:
    """An EXIF segment that says how the picture is to be turned."""
    entry = struct.pack("<HHIHH", ORIENTATION_TAG, 3, 1, orientation, 0)
    return b"Exif\0\0II*\0\x08\0\0\0" + struct.pack("<H", 1) + entry + bytes(4)


def write_folder(root: Path, count: int, suffix: str = ".JPEG") -> Path:
    """An ImageNet-layout folder of ``count`` small pictures of different greys, class 10 × i."""
    (root / "val").mkdir(parents=True)
    rows = []
    for index in range(count):
        name = f"picture_{index:04}{suffix}"
        grey = np.full((20, 24, 3), index * 255 // max(count - 1, 1), np.uint8)
        (root / "val" / name).write_bytes(png(grey))
        rows.append(f"{name} {index * 10}")
    (root / "val_map.txt").write_text("\n".join(rows) + "\n")
    return root


def _encoded(suffix: str, image: NDArray[Any], options: list[int] | None = None) -> bytes:
    order = {3: cv2.COLOR_RGB2BGR, 4: cv2.COLOR_RGBA2BGRA}
    channels = image.shape[2] if image.ndim == 3 else 1
    native = cv2.cvtColor(image, order[channels]) if channels in order else image
    done, encoded = cv2.imencode(suffix, native, options or [])
    assert done
    data: bytes = encoded.tobytes()
    return data
