"""Decoding the images of a dataset into the rows of an array, on several threads, in order.

Each image is read and decoded alone and written to its own row, so the result is the same, byte
for byte, by however many threads and after however many interruptions it was made. What is kept of
a finished row is the checksum of its image; the checksums, in order, are the array's journal.
"""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from datasets.errors import DataError
from datasets.images.archives import require_checksum
from datasets.images.imagenet import Image, ImageNet
from datasets.images.preprocessing import decode_and_crop, lay_out, row_shape
from datasets.listing import listed
from datasets.samples.checkpoints import Checkpoints
from datasets.samples.prepared import Progress
from datasets.samples.row_writer import RowWriter

_BLOCK = 8
"""Images that a thread takes and writes at once: doing so one by one would cost a few per cent."""
_BLOCKS_AHEAD = 64
"""Blocks under way or finished out of turn: enough for a thread that has a far larger image."""
_REPORTS = 1000
"""At most so often progress is told."""
_DIGEST_BYTES = hashlib.sha256().digest_size


@dataclass(frozen=True)
class _Outcome:
    digest: bytes
    problem: str = ""


def decode_all(
    dataset: ImageNet, layout: str, writer: RowWriter, workers: int, progress: Progress | None
) -> bytes:
    """Write row i from ``images[i]`` for all that ``writer`` has no journal of; the SHA-256 of
    every image, one after the other.

    DataError lists every image that can't be used, or says that the archive is not the published
    one.
    """
    total = len(dataset.images)
    report = _reporter(progress, total)
    with Checkpoints(writer, _DIGEST_BYTES) as done, _one_opencv_thread(), _pool(workers) as pool:
        report(done.rows)
        archive = pool.submit(_require_published, dataset)
        blocks = _blocks(pool, dataset.images, range(done.rows, total), layout, writer)
        _collect(blocks, done, archive, report, total)
        archive.result()
    return bytes(done.records)


def _collect(
    blocks: Iterator[list[_Outcome]],
    done: Checkpoints,
    archive: Future[None],
    report: Callable[[int], None],
    total: int,
) -> None:
    """Journal what was decoded; after the first problem only find the others."""
    problems = list[str]()
    number = done.rows
    for block in blocks:
        if archive.done():
            archive.result()
        for outcome in block:
            number += 1
            if outcome.problem:
                problems.append(outcome.problem)
            elif not problems:
                done.add(outcome.digest)
            report(number)
    if problems:
        raise DataError(f"{len(problems)} of {total} images can't be used. {listed(problems, ' ')}")


def _blocks(
    pool: Executor, images: Sequence[Image], rows: range, layout: str, writer: RowWriter
) -> Iterator[list[_Outcome]]:
    """What became of ``rows``, in order; only so many are under way at once."""

    block_of = _Block((_BLOCK, *row_shape(layout)))

    def decode(block: range) -> list[_Outcome]:
        rows = block_of.rows[: len(block)]
        outcomes = [_decode_one(images[i], layout, row) for i, row in zip(block, rows, strict=True)]
        writer.write(block[0], rows)
        return outcomes

    waiting: deque[Future[list[_Outcome]]] = deque()
    for first in range(0, len(rows), _BLOCK):
        waiting.append(pool.submit(decode, rows[first : first + _BLOCK]))
        if len(waiting) > _BLOCKS_AHEAD:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


class _Block(threading.local):
    """Rows that one thread fills again and again."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.rows = np.empty(shape, np.uint8)


def _decode_one(image: Image, layout: str, row: NDArray[np.uint8]) -> _Outcome:
    """Fill ``row`` with the pixels of ``image``; left as it is where there is a problem."""
    try:
        data = image.file.read()
        lay_out(decode_and_crop(data, str(image.file)), layout, row)
    except OSError as error:
        return _Outcome(b"", f"{image.file} can't be read: {error.strerror}.")
    except DataError as error:
        return _Outcome(b"", str(error))
    return _Outcome(hashlib.sha256(data).digest())


def _require_published(dataset: ImageNet) -> None:
    if dataset.published is not None:
        require_checksum(dataset.root, dataset.published)


@contextlib.contextmanager
def _pool(workers: int) -> Iterator[Executor]:
    pool = ThreadPoolExecutor(workers, thread_name_prefix="decode")
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


@contextlib.contextmanager
def _one_opencv_thread() -> Iterator[None]:
    """OpenCV's own threads would come on top of ours: one image is too small to share."""
    import cv2

    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(before)


def _reporter(progress: Progress | None, total: int) -> Callable[[int], None]:
    step = max(1, total // _REPORTS)

    def report(done: int) -> None:
        if progress is not None and done and (done % step == 0 or done == total):
            progress(done, total)

    return report
