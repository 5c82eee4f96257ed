"""How fast images are prepared, and how much memory that and holding them takes.

The measure of speed is a bare loop over the same files on as many threads: read, cv2.imdecode,
resize, crop, and nothing kept. Memory is the highest resident set of a process that does only that.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np

from datasets.cores import usable_cores
from datasets.images.imagenet import read_imagenet
from datasets.images.preparing import prepare_images
from datasets.samples.library import SampleLibrary
from datasets.samples.prepared import Progress
from datasets.samples.store import open_prepared
from harness.running.peak_memory import peak_rss_bytes
from tests.benchmarks.benchmark import Benchmark, Figure, Pair, Place, Round
from tests.benchmarks.children import call

IMAGES = 1000
HELD_IMAGES = 2000
RESIDENT = 1024
LAYOUT = "NCHW"
SPEED, PROCESSOR = "images/s", "images/s of processor time"
PREPARING, HOLDING = "peak of preparing", "peak of holding"


def write_photos(root: Path, count: int) -> Path:
    """``count`` JPEG files of 500 × 375 with the detail and size of photographs, and their map."""
    generator = np.random.default_rng(0)
    (root / "val").mkdir(parents=True)
    names = [f"photo_{number:05}.JPEG" for number in range(count)]
    for name in names:
        coarse = generator.integers(0, 256, (47, 63, 3), np.uint8)
        smooth = cv2.resize(coarse, (500, 375), interpolation=cv2.INTER_CUBIC)
        grain = generator.integers(-12, 13, smooth.shape)
        photo = np.clip(smooth.astype(int) + grain, 0, 255).astype(np.uint8)
        cv2.imwrite(str(root / "val" / name), photo, [cv2.IMWRITE_JPEG_QUALITY, 93])
    (root / "val_map.txt").write_text("".join(f"{name} 0\n" for name in names))
    return root


def bare_loop(paths: list[Path], workers: int) -> None:
    """The least that must be done to every file."""

    def decode(path: Path) -> Any:
        image: Any = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
        height, width = image.shape[:2]
        long_side = int(256 * width / height)
        image = cv2.resize(image, (long_side, 256), interpolation=cv2.INTER_AREA)
        left = (long_side - 224) // 2
        return image[16:240, left : left + 224].shape

    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    with ThreadPoolExecutor(workers) as pool:
        for _ in pool.map(decode, paths):
            pass
    cv2.setNumThreads(before)


class Taken(NamedTuple):
    """What one call took."""

    wall_s: float
    processor_s: float
    """Of all threads of this process, flushing included: what other processes don't disturb."""


def _taken(made: Callable[[], Any]) -> Taken:
    wall, processor = time.perf_counter(), time.process_time()
    made()
    return Taken(time.perf_counter() - wall, time.process_time() - processor)


def prepare(root: Path, cache: Path, workers: int) -> Path:
    """Everything that a user waits for: listing, decoding, storing, flushing."""
    return prepare_images(read_imagenet(root), LAYOUT, cache, None, workers).folder


def speed_rounds(place: Place, rounds: int) -> Iterator[Round]:
    """Preparing in a new cache each time, and the bare loop."""
    root, workers = write_photos(place.scratch / "photos", IMAGES), usable_cores()
    paths = sorted((root / "val").iterdir())
    for number in range(rounds):
        cache = place.scratch / f"cache{number}"
        bare = _taken(lambda: bare_loop(paths, workers))
        ours = _taken(lambda cache=cache: prepare(root, cache, workers))  # type: ignore[misc]
        yield {
            SPEED: Pair(IMAGES / ours.wall_s, IMAGES / bare.wall_s),
            PROCESSOR: Pair(IMAGES / ours.processor_s, IMAGES / bare.processor_s),
        }


def memory_rounds(place: Place, rounds: int) -> Iterator[Round]:
    """Highest resident sets, each of a process of its own, in MiB."""
    root = write_photos(place.scratch / "photos", HELD_IMAGES)
    samples = RESIDENT * 3 * 224 * 224 * 4 / 2**20
    for number in range(rounds):
        asked = {"root": str(root), "cache": str(place.scratch / f"cache{number}")}
        idle, preparing, holding = (
            call(f"tests.benchmarks.prepare_images:{what}", asked, place)
            for what in ("idle", "preparing", "holding")
        )
        yield {PREPARING: Pair(preparing, idle), HOLDING: Pair(holding, idle + samples)}


def idle(_argument: dict[str, Any], _progress: Progress) -> float:
    """Import only."""
    return _peak_mib()


def preparing(argument: dict[str, Any], _progress: Progress) -> float:
    """Prepare what is not prepared yet."""
    prepare(Path(argument["root"]), Path(argument["cache"]), usable_cores())
    return _peak_mib()


def holding(argument: dict[str, Any], _progress: Progress) -> float:
    """Hold a usual performance set of what is prepared."""
    folder = prepare(Path(argument["root"]), Path(argument["cache"]), 1)
    library = SampleLibrary(open_prepared(folder))
    library.load(range(RESIDENT))
    return _peak_mib()


def _peak_mib() -> float:
    return peak_rss_bytes() / 2**20


BENCHMARKS = (
    Benchmark(
        name="prepare-images",
        ours=f"preparing {IMAGES} photographs once and for all",
        reference="a bare loop that reads, decodes, resizes and keeps nothing",
        figures=(Figure(SPEED, "1/s", least=0.9), Figure(PROCESSOR, "1/s", least=0.9)),
        rounds=speed_rounds,
    ),
    Benchmark(
        name="prepare-images-memory",
        ours=f"preparing {HELD_IMAGES} photographs, then holding {RESIDENT} of them",
        reference="a process that only imports; beside that, the bytes of the samples",
        figures=(
            Figure(PREPARING, "MiB", excess=True),
            Figure(HOLDING, "MiB", excess=True),
        ),
        rounds=memory_rounds,
    ),
)
