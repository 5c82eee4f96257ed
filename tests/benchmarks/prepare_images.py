"""How fast images are prepared, and how much memory that and holding them takes.

``python -m tests.benchmarks.prepare_images [IMAGES] [WORKERS]``: a table on standard output.

The measure of speed is a bare loop over the same files on as many threads: read, cv2.imdecode,
resize, crop, and nothing kept. It and the preparation take turns, so that a busy machine disturbs
both alike; medians of five. Memory is the highest resident set of a process that does only that.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from tabulate import tabulate

from datasets.cores import usable_cores
from datasets.image_store import prepare_images
from datasets.imagenet import read_imagenet
from datasets.library import SampleLibrary
from datasets.store import open_prepared

REPEATS = 5
IMAGES = 1000
HELD_IMAGES = 2000
RESIDENT = 1024
LAYOUT = "NCHW"


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


@dataclass(frozen=True)
class Taken:
    """What one call took."""

    wall_s: float
    processor_s: float
    """Of all threads of this process, flushing included: what other processes don't disturb."""


def speed_rows(root: Path, workers: int) -> list[list[Any]]:
    """Images a second of both, and their ratios."""
    paths = sorted((root / "val").iterdir())
    bare, prepared = [], []
    for repeat in range(REPEATS):
        cache = root / f"cache{repeat}"
        bare.append(_taken(lambda: bare_loop(paths, workers)))
        prepared.append(_taken(partial(prepare, root, cache, workers)))
    bare_s, prepared_s = (statistics.median(t.wall_s for t in taken) for taken in (bare, prepared))
    bare_cpu_s, prepared_cpu_s = (
        statistics.median(t.processor_s for t in taken) for taken in (bare, prepared)
    )
    return [
        [f"bare loop, {workers} workers", round(len(paths) / bare_s), "images/s"],
        [f"preparing, {workers} workers", round(len(paths) / prepared_s), "images/s"],
        ["speed: preparing / bare loop", round(bare_s / prepared_s, 3), ""],
        ["the same by processor time", round(bare_cpu_s / prepared_cpu_s, 3), ""],
    ]


def prepare(root: Path, cache: Path, workers: int) -> Path:
    """Everything that a user waits for: listing, decoding, storing, flushing."""
    return prepare_images(read_imagenet(root), LAYOUT, cache, None, workers).folder


def memory_rows(root: Path, workers: int) -> list[list[Any]]:
    """Highest resident sets, each of a process of its own."""
    cache = root / "cache"
    idle = _peak_mib("idle", root, cache, workers)
    preparing = _peak_mib("prepare", root, cache, workers)
    holding = _peak_mib("hold", root, cache, workers)
    samples = RESIDENT * 3 * 224 * 224 * 4 / 2**20
    return [
        ["imports alone", round(idle), "MiB"],
        [f"preparing {HELD_IMAGES} images", round(preparing), "MiB"],
        [f"{RESIDENT} samples as float32", round(samples), "MiB"],
        [f"library with {RESIDENT} resident", round(holding), "MiB"],
        ["library beyond imports and samples", round(holding - idle - samples), "MiB"],
    ]


def loading_rows(root: Path) -> list[list[Any]]:
    """How long LoadGen's LoadSamples takes for a usual performance set."""
    (folder,) = (root / "cache/prepared").glob("*[!k]")
    indices = np.random.default_rng(1).permutation(HELD_IMAGES)[:RESIDENT].tolist()

    def load() -> None:
        SampleLibrary(open_prepared(folder)).load(indices)

    seconds = statistics.median(_taken(load).wall_s for _ in range(REPEATS))
    return [[f"loading {RESIDENT} samples", round(seconds, 2), "s"]]


def _peak_mib(what: str, root: Path, cache: Path, workers: int) -> float:
    command = [sys.executable, "-m", __spec__.name, what, str(root), str(cache), str(workers)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(done.stdout)


def child(what: str, root: Path, cache: Path, workers: int) -> None:
    """Do one thing, and write this process's highest resident set in MiB."""
    if what != "idle":
        folder = prepare(root, cache, workers)
    if what == "hold":
        library = SampleLibrary(open_prepared(folder))
        library.load(range(RESIDENT))
    sys.stdout.write(f"{_peak_kib() / 1024}\n")


def _peak_kib() -> int:
    """Of this process since its start; ``ru_maxrss`` would also know its parent's."""
    status = Path("/proc/self/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1])


def _taken(call: Callable[[], Any]) -> Taken:
    wall, processor = time.perf_counter(), time.process_time()
    call()
    return Taken(time.perf_counter() - wall, time.process_time() - processor)


def main(images: int, workers: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        rows = speed_rows(write_photos(Path(folder) / "fast", images), workers)
    with tempfile.TemporaryDirectory() as folder:
        root = write_photos(Path(folder) / "held", HELD_IMAGES)
        rows += memory_rows(root, workers)
        rows += loading_rows(root)
    sys.stdout.write(tabulate(rows, ("what", "median", "unit")) + "\n")


if __name__ == "__main__":
    if len(sys.argv) == 5:
        child(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]))
    else:
        given = [int(argument) for argument in sys.argv[1:]]
        main(*(given + [IMAGES, usable_cores()][len(given) :]))
