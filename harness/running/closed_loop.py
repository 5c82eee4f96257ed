"""Running one configuration in a child process, with all its streams busy all the time.

No LoadGen: it tells what a configuration can do, not what a machine is worth.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.errors import BackendError
from datasets.samples.library import SampleLibrary
from datasets.samples.prepared import Progress
from datasets.samples.store import open_prepared
from harness.running.empty_answers import count_empty, empty_cause
from harness.running.peak_memory import peak_rss_bytes
from harness.running.system import sessions_asked_for
from harness.spec import Batching
from sut.streams import Predict

BEGUN, OVER = 1, 2
"""Signs of life: what lies between them is measured."""
WARM_UP_BATCHES = 2
FEWEST_SAMPLES = 64
"""Different ones, where the dataset has them."""
FEWEST_BATCHES = 3
"""Of each stream, however long they take."""


def measure(wanted: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """{benchmark, backend, model, store, streams, threads, batch, seconds} → {samples, wall_s,
    cpu_s, peak_rss_bytes, batches, p50_ms, p90_ms, p99_ms}; latencies are those of batches.
    BackendError where any answer was empty."""
    library = SampleLibrary(open_prepared(Path(wanted["store"])))
    batch = int(wanted["batch"])
    batches = _batches(library.count, batch)
    library.load(np.unique(batches).tolist())
    with ExitStack() as stack:
        batching = Batching(max_batch=batch, streams=wanted["streams"], threads=wanted["threads"])
        sessions = sessions_asked_for(wanted, batching, stack)
        predicts = [session.predictor(library) for session in sessions]
        for predict in predicts:
            for _ in range(WARM_UP_BATCHES):
                predict(batches[0])
        progress(BEGUN, 0)
        seen = _busy(predicts, batches, wanted["seconds"])
        progress(OVER, 0)
        return seen


def _batches(count: int, batch: int) -> NDArray[np.int64]:
    """Sample indices of batches to run in turn, [batches, batch]: chosen by chance, so that those
    of different sizes have the same mixture of short and long samples."""
    wanted = max(1, FEWEST_SAMPLES // batch)
    order = np.random.default_rng(0).permutation(count)
    return np.resize(order, (wanted, batch)).astype(np.int64)


def _busy(
    predicts: Sequence[Predict], batches: NDArray[np.int64], seconds: float
) -> dict[str, Any]:
    start = threading.Barrier(len(predicts))

    def stream(predict: Predict) -> _Laps:
        start.wait()
        return _laps(predict, batches, seconds)

    cpu_before, began = time.process_time(), time.perf_counter()
    with ThreadPoolExecutor(len(predicts)) as pool:
        streams = list(pool.map(stream, predicts))
    wall_s = time.perf_counter() - began
    laps = [lap for one in streams for lap in one.seconds]
    empty = sum(one.empty for one in streams)
    if empty:
        raise BackendError(empty_cause(empty, len(laps) * batches.shape[1]))
    p50, p90, p99 = np.quantile(np.array(laps), [0.5, 0.9, 0.99]) * 1000
    return {
        "samples": len(laps) * batches.shape[1],
        "batches": len(laps),
        "wall_s": wall_s,
        "cpu_s": time.process_time() - cpu_before,
        "peak_rss_bytes": peak_rss_bytes(),
        "p50_ms": float(p50),
        "p90_ms": float(p90),
        "p99_ms": float(p99),
    }


@dataclass(frozen=True)
class _Laps:
    """What one stream did."""

    seconds: list[float]
    """Of each batch."""
    empty: int
    """Answers that held nothing."""


def _laps(predict: Predict, batches: NDArray[np.int64], seconds: float) -> _Laps:
    """Batch after batch, until ``seconds`` are over."""
    laps: list[float] = []
    empty = 0
    end = time.perf_counter() + seconds
    while (now := time.perf_counter()) < end or len(laps) < FEWEST_BATCHES:
        answers = predict(batches[len(laps) % len(batches)])
        laps.append(time.perf_counter() - now)
        empty += count_empty(answers)
    return _Laps(laps, empty)
