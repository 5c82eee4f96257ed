"""What a qualification does in child processes before it measures (:mod:`harness.running.errands`).

Each function takes one JSON document and a progress callback, and returns a JSON document.
"""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from datasets.samples.library import SampleLibrary
from datasets.samples.prepared import Progress
from datasets.samples.store import open_prepared
from harness.running.curve import measure
from harness.running.samples import prepare_samples
from harness.running.system import describe, sessions_asked_for
from harness.spec import Batching, DatasetRef
from sut.inspection.onnx_file import made_facts

MEGABYTE = 1_000_000
BATCH_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


def make_model(wanted: dict[str, Any], _progress: Progress) -> dict[str, Any]:
    """Generate an embedded model once: {benchmark, suffix, cache, mirror, offline} → {path}."""
    from sut.embedded.catalog import embedded_model

    path = embedded_model(
        wanted["benchmark"],
        wanted["suffix"],
        Path(wanted["cache"]),
        mirror=wanted["mirror"],
        offline=wanted["offline"],
    )
    return {"path": str(path)}


def inspect(wanted: dict[str, Any], _progress: Progress) -> dict[str, Any]:
    """Inspect a model: {model, opening} → document of schema ``inspection``."""
    from sut.inspection import inspect_model

    return inspect_model(Path(wanted["model"]), opening=wanted["opening"]).document()


def fetch_file(wanted: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Fetch a named source once: {name, cache, mirror, offline} → {path, notes}; counts in
    megabytes."""
    from datasets.fetching.fetch import fetch
    from datasets.fetching.sources import source

    notes: list[str] = []
    path = fetch(
        source(wanted["name"]),
        Path(wanted["cache"]),
        mirror=wanted["mirror"],
        offline=wanted["offline"],
        progress=lambda done, total: progress(done // MEGABYTE, total // MEGABYTE),
        note=notes.append,
    )
    return {"path": str(path), "notes": notes}


def look(wanted: dict[str, Any], _progress: Progress) -> dict[str, Any]:
    """Open one session on every device and close it: {benchmark, backend, model} → Description."""
    with ExitStack() as stack:
        batching = Batching(max_batch=1, streams=1, threads=1)
        description = describe(sessions_asked_for(wanted, batching, stack))
    model = Path(wanted["model"]) if wanted["model"] else None
    facts = {**made_facts(model), **description.facts}
    return asdict(replace(description, facts=facts))


def prepare(wanted: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Prepare a dataset once: {dataset, layout, dtype, cache} → {store, count}."""
    prepared = prepare_samples(
        DatasetRef(**wanted["dataset"]),
        layout=wanted["layout"],
        dtype=wanted["dtype"],
        cache=Path(wanted["cache"]),
        progress=progress,
    )
    return {"store": str(prepared.folder), "count": prepared.count}


def time_batches(wanted: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Measure the latency curve of one stream: {benchmark, backend, model, store, threads,
    max_batch, per_size_s} → {sizes, seconds}."""
    library = SampleLibrary(open_prepared(Path(wanted["store"])))
    largest = min(wanted["max_batch"] or BATCH_SIZES[-1], library.count)
    sizes = [size for size in BATCH_SIZES if size <= largest]
    order = np.random.default_rng(0).permutation(library.count).astype(np.int64)
    with ExitStack() as stack:
        batching = Batching(max_batch=largest, streams=1, threads=wanted["threads"])
        predict = sessions_asked_for(wanted, batching, stack)[0].predictor(library)
        library.load(order[:largest].tolist())
        calls = iter(range(1 << 62))

        def time_batch(size: int) -> float:
            start = next(calls) * size % (largest - size + 1)
            began = time.perf_counter()
            predict(order[start : start + size])
            taken = time.perf_counter() - began
            progress(size, 0)
            return taken

        curve = measure(time_batch, sizes, wanted["per_size_s"])
    return asdict(curve)
