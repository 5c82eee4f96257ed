"""ResNet50's input, from the bytes of an image file, as the MLPerf reference makes it.

Decode to RGB; resize the short side to 256 with area interpolation, the long side to
int(256 × long / short); crop the centre 224 × 224; to float32, less one mean a channel
(vision/classification_and_detection/python/dataset.py, ``pre_process_vgg``). Decoding is what
OpenCV does by default, as in the reference: an EXIF orientation is applied, grey is repeated over
three channels, an alpha channel is dropped without blending, 16 bits are cut to their upper 8, and
CMYK is converted without a colour profile.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from datasets.errors import DataError
from datasets.image_bytes import require_whole_image

CROP = 224
SHORT_SIDE = 256
MEAN_RGB = (123.68, 116.78, 103.94)
MAX_ASPECT = 1000
"""A longer strip would take gigabytes when its short side becomes 256."""

LAYOUTS = ("NCHW", "NHWC")
DEFINITION = (
    f"rgb short={SHORT_SIDE} area long=int crop={CROP} centre mean={MEAN_RGB} float32 "
    "exif=applied alpha=dropped"
)
"""What the pixels depend on, besides the bytes and OpenCV; part of the key of prepared images."""


def decode_and_crop(data: bytes, name: str) -> NDArray[np.uint8]:
    """The centre crop [224, 224, 3], RGB, of an encoded image.

    ``name`` stands in the DataError for bytes that aren't a whole JPEG or PNG image.
    """
    return crop_centre(resize_short_side(decode(data, name), name))


def decode(data: bytes, name: str) -> NDArray[np.uint8]:
    """The pixels [H, W, 3], RGB; DataError where they can't be had."""
    import cv2

    require_whole_image(data, name)
    try:
        bgr = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise DataError(f"{name} can't be decoded: {error.err}.") from error
    if bgr is None:
        raise DataError(f"{name} can't be decoded, its content is damaged: fetch it again.")
    rgb: NDArray[np.uint8] = cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB)
    return rgb


def resize_short_side(image: NDArray[np.uint8], name: str) -> NDArray[np.uint8]:
    """``image`` [H, W, 3] scaled so that its short side is 256, by area interpolation."""
    import cv2

    height, width = image.shape[:2]
    short, long = sorted((height, width))
    if long > MAX_ASPECT * short:
        raise DataError(f"{name} is {width} × {height} pixels, a strip too narrow to classify.")
    long_side = int(SHORT_SIDE * long / short)
    size = (SHORT_SIDE, long_side) if height > width else (long_side, SHORT_SIDE)
    resized: NDArray[np.uint8] = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return resized


def crop_centre(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The middle [224, 224, 3] of ``image``; where the margin is odd, its smaller half is first."""
    top, left = ((side - CROP) // 2 for side in image.shape[:2])
    return image[top : top + CROP, left : left + CROP]


def subtract_mean(crop: NDArray[np.uint8], layout: str) -> NDArray[np.float32]:
    """``crop`` [224, 224, 3] as float32 less the mean; [3, 224, 224] where ``layout`` is NCHW."""
    centred = crop.astype(np.float32) - np.array(MEAN_RGB, np.float32)
    return np.ascontiguousarray(centred.transpose(2, 0, 1) if layout == "NCHW" else centred)
