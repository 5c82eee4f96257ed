"""Preparing a whole image dataset once, on all cores, into a store.

The result is the same, byte for byte, however many threads made it: each image is decoded alone
and written to its own row. Every file is read to its end here, so the key of the result covers the
images' real content.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from datasets.errors import DataError, UsageError
from datasets.imagenet import Image, ImageNet
from datasets.images import CROP, DEFINITION, LAYOUTS, decode_and_crop, subtract_mean
from datasets.prepared import Prepared, Progress
from datasets.store import ArraySpec, Recipe, RowWriter, obtain

_LISTED = 20


@dataclass(frozen=True)
class _Outcome:
    digest: bytes
    problem: str = ""


def prepare_images(
    dataset: ImageNet,
    layout: str,
    cache: Path,
    progress: Progress | None = None,
    workers: int | None = None,
) -> Prepared:
    """``image`` float32 [N,3,224,224] (NCHW) or [N,224,224,3] (NHWC), row i for ``images[i]``.

    What was prepared before is used again while names, sizes, times of change, definition and
    OpenCV are the same. ``workers`` threads, by default one a usable core. DataError lists every
    image that can't be used; nothing is kept then.
    """
    if layout not in LAYOUTS:
        raise UsageError(f"There is no image layout {layout!r}: use {' or '.join(LAYOUTS)}.")
    definition = f"{DEFINITION} layout={layout} opencv={_opencv_version()}"

    def fill(writers: Mapping[str, RowWriter]) -> str:
        outcomes = _prepare_all(dataset, layout, writers["image"], progress, workers)
        return _key(definition, outcomes)

    shape = (3, CROP, CROP) if layout == "NCHW" else (CROP, CROP, 3)
    spec = ArraySpec("image", "float32", (len(dataset.images), *shape))
    folder = cache / "prepared" / f"{dataset.name}-{_fingerprint(dataset, definition)[:24]}"
    return obtain(folder, lambda: Recipe([spec], fill))


def _prepare_all(
    dataset: ImageNet,
    layout: str,
    writer: RowWriter,
    progress: Progress | None,
    workers: int | None,
) -> list[_Outcome]:
    total = len(dataset.images)
    outcomes = []
    for outcome in _outcomes(dataset, layout, writer, workers or len(os.sched_getaffinity(0))):
        outcomes.append(outcome)
        if progress is not None:
            progress(len(outcomes), total)
    problems = [outcome.problem for outcome in outcomes if outcome.problem]
    if problems:
        more = f" And {len(problems) - _LISTED} more." if len(problems) > _LISTED else ""
        raise DataError(
            f"{len(problems)} of {total} images can't be used. {' '.join(problems[:_LISTED])}{more}"
        )
    return outcomes


def _outcomes(
    dataset: ImageNet, layout: str, writer: RowWriter, workers: int
) -> Iterator[_Outcome]:
    def prepare(item: tuple[int, Image]) -> _Outcome:
        return _prepare_one(item[1], item[0], layout, writer)

    with ThreadPoolExecutor(workers, thread_name_prefix="prepare") as pool:
        try:
            yield from pool.map(prepare, enumerate(dataset.images))
        finally:
            pool.shutdown(cancel_futures=True)


def _prepare_one(image: Image, row: int, layout: str, writer: RowWriter) -> _Outcome:
    try:
        data = image.path.read_bytes()
        crop = decode_and_crop(data, str(image.path))
    except OSError as error:
        return _Outcome(b"", f"{image.path} can't be read: {error.strerror}.")
    except DataError as error:
        return _Outcome(b"", str(error))
    writer.write(row, subtract_mean(crop, layout)[np.newaxis])
    return _Outcome(hashlib.sha256(data).digest())


def _key(definition: str, outcomes: list[_Outcome]) -> str:
    digest = hashlib.sha256(definition.encode())
    for outcome in outcomes:
        digest.update(outcome.digest)
    return digest.hexdigest()


def _fingerprint(dataset: ImageNet, definition: str) -> str:
    digest = hashlib.sha256(f"{definition}\0{dataset.root.resolve()}\0{dataset.sha256}".encode())
    for image in dataset.images:
        digest.update(image.modified_ns.to_bytes(16, "big", signed=True))
    return digest.hexdigest()


def _opencv_version() -> str:
    import cv2

    return str(cv2.__version__)
