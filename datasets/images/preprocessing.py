"""ResNet50's input, from the bytes of an image file, as the MLPerf reference makes it.

Decode to RGB; resize the short side to 256 with area interpolation, the long side to
int(256 × long / short); crop the centre 224 × 224; to float32, less one mean a channel
(vision/classification_and_detection/python/dataset.py, ``pre_process_vgg``). Here the pixels are
made, and stay the bytes that they are until then; :func:`mean_of` is what is left to subtract, as
float32(pixel) - float32(mean). Decoding is what
OpenCV does by default, as in the reference: an EXIF orientation is applied, grey is repeated over
three channels, an alpha channel is dropped without blending, 16 bits are cut to their upper 8, and
CMYK is converted without a colour profile.
"""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

from datasets.errors import DataError
from datasets.images.complete import require_whole_image

CROP = 224
SHORT_SIDE = 256
MEAN_RGB = (123.68, 116.78, 103.94)
MAX_ASPECT = 1000
"""A longer strip would take gigabytes when its short side becomes 256."""

LAYOUTS = ("NCHW", "NHWC")
DEFINITION = (
    f"rgb short={SHORT_SIDE} area long=int crop={CROP} centre uint8 less mean={MEAN_RGB} "
    "exif=applied alpha=dropped"
)
"""What the pixels depend on, besides the bytes and OpenCV; part of the key of prepared images."""


def decode_and_crop(data: bytes, name: str) -> NDArray[np.uint8]:
    """The centre crop [224, 224, 3], RGB, of an encoded image.

    ``name`` stands in the DataError for bytes that aren't a whole JPEG or PNG image.
    """
    import cv2

    crop = _crop_centre(_resize_short_side(_decode(data, name), name))
    rgb: NDArray[np.uint8] = cv2.cvtColor(crop, cv2.COLOR_BGR2RGB)
    return rgb


def _decode(data: bytes, name: str) -> NDArray[np.uint8]:
    """The pixels [H, W, 3] in OpenCV's own order, BGR; DataError where they can't be had."""
    import cv2

    require_whole_image(data, name)
    try:
        bgr: NDArray[np.uint8] | None = cv2.imdecode(
            np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR
        )
    except cv2.error as error:
        raise DataError(f"{name} can't be decoded: {error.err}.") from error
    if bgr is None:
        raise DataError(f"{name} can't be decoded, its content is damaged: fetch it again.")
    return bgr


def _resize_short_side(image: NDArray[np.uint8], name: str) -> NDArray[np.uint8]:
    """``image`` [H, W, 3] scaled so that its short side is 256, by area interpolation.

    It is this thread's until the next call.
    """
    import cv2

    height, width = image.shape[:2]
    short, long = sorted((height, width))
    if long > MAX_ASPECT * short:
        raise DataError(f"{name} is {width} × {height} pixels, a strip too narrow to classify.")
    long_side = int(SHORT_SIDE * long / short)
    size = (SHORT_SIDE, long_side) if height > width else (long_side, SHORT_SIDE)
    resized: NDArray[np.uint8] = cv2.resize(
        image, size, dst=_scratch.of(*size), interpolation=cv2.INTER_AREA
    )
    return resized


class _Scratch(threading.local):
    """Memory that one thread fills again and again: fresh pages would cost as much as the crop."""

    def __init__(self) -> None:
        self._pixels = np.empty(0, np.uint8)

    def of(self, width: int, height: int) -> NDArray[np.uint8]:
        """[height, width, 3] of whatever was in it."""
        size = height * width * 3
        if self._pixels.size < size:
            self._pixels = np.empty(size, np.uint8)
        return self._pixels[:size].reshape(height, width, 3)


_scratch = _Scratch()


def _crop_centre(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The middle [224, 224, 3] of ``image``; where the margin is odd, its smaller half is first."""
    top, left = ((side - CROP) // 2 for side in image.shape[:2])
    return image[top : top + CROP, left : left + CROP]


def row_shape(layout: str) -> tuple[int, int, int]:
    """Of one crop as a model of that layout takes it."""
    return (3, CROP, CROP) if layout == "NCHW" else (CROP, CROP, 3)


def lay_out(crop: NDArray[np.uint8], layout: str, row: NDArray[np.uint8]) -> None:
    """Write ``crop`` [224, 224, 3] into ``row``, which has the :func:`row_shape` of ``layout``."""
    import cv2

    if layout == "NCHW":
        cv2.split(crop, list(row))
    else:
        row[...] = crop


def mean_of(layout: str) -> NDArray[np.float32]:
    """What to subtract from a row of that layout: [3, 1, 1] for NCHW, [3] for NHWC."""
    mean = np.array(MEAN_RGB, np.float32)
    return mean[:, np.newaxis, np.newaxis] if layout == "NCHW" else mean
