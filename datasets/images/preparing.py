"""Preparing a whole image dataset once, into a store.

The pixels are stored as bytes, a quarter of what a model takes: the mean is subtracted when
samples are loaded, which gives the same float32 to the last bit. Every file is read to its end
here, so the key of the result covers the images' real content.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from datasets.errors import UsageError
from datasets.images.decoding import decode_all
from datasets.images.imagenet import ImageNet
from datasets.images.preprocessing import DEFINITION, LAYOUTS, mean_of, row_shape
from datasets.samples.prepared import Prepared, Progress
from datasets.samples.store import ArraySpec, Recipe, RowWriter, obtain

ARRAY = "image"


def prepare_images(
    dataset: ImageNet,
    layout: str,
    cache: Path,
    progress: Progress | None = None,
    workers: int = 1,
) -> Prepared:
    """``image`` uint8 [N,3,224,224] (NCHW) or [N,224,224,3] (NHWC), row i for ``images[i]``, and
    its mean.

    What was prepared before is used again while names, sizes, times of change, definition and
    OpenCV are the same; what was begun and interrupted is gone on with. ``workers`` threads decode.
    DataError lists every image that can't be used, or names an archive that isn't the published
    one; nothing is kept then.
    """
    if layout not in LAYOUTS:
        raise UsageError(f"There is no image layout {layout!r}: use {' or '.join(LAYOUTS)}.")
    definition = f"{DEFINITION} layout={layout} opencv={_opencv_version()}"

    def fill(writers: Mapping[str, RowWriter]) -> str:
        digests = decode_all(dataset, layout, writers[ARRAY], workers, progress)
        return hashlib.sha256(definition.encode() + digests).hexdigest()

    spec = ArraySpec(ARRAY, "uint8", (len(dataset.images), *row_shape(layout)))
    folder = cache / "prepared" / f"{dataset.name}-{_fingerprint(dataset, definition)[:24]}"
    return obtain(folder, lambda: Recipe([spec], fill, {ARRAY: mean_of(layout)}))


def _fingerprint(dataset: ImageNet, definition: str) -> str:
    digest = hashlib.sha256(f"{definition}\0{dataset.root.resolve()}\0{dataset.sha256}".encode())
    for image in dataset.images:
        digest.update(image.file.modified_ns.to_bytes(16, "big", signed=True))
    return digest.hexdigest()


def _opencv_version() -> str:
    import cv2

    return str(cv2.__version__)
