"""How harness/planning/targets.json was made: ``python -m tests.record_reference_scores``.

Scores each embedded model in FP32 on ONNX Runtime, item by item, without LoadGen: images by top-1
(100 or 0), questions by F1. Run it again only where a model or its data changes.
"""

from __future__ import annotations

import json
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from rich.console import Console

from audit.accuracy.squad import token_f1
from datasets.cores import usable_cores
from datasets.disk.cache import default_cache
from datasets.questions.answers import best_answers
from datasets.questions.features import read_features
from datasets.questions.wordpiece import Vocabulary
from datasets.samples.library import SampleLibrary
from harness.benchmarks import benchmarks
from harness.host.software import versions_in_use
from harness.report.live import display_for
from harness.request import Request
from harness.running.errands import Errands
from harness.running.samples import images_of, prepare_samples, questions_of
from harness.running.system import open_sessions
from harness.sources import resolve
from harness.spec import BackendSpec, Batching, DatasetRef
from harness.stop import StopRequests

BATCH = 8


def answers(benchmark: str, cache: Path) -> tuple[DatasetRef, list[bytes]]:
    """The dataset, and the answer to each of its samples."""
    request = Request(benchmark, "onnxruntime", "cpu", output=cache, cache=cache)
    log = Path(tempfile.gettempdir()) / "reference-scores.log"
    display = display_for(Console(stderr=True))
    sources = resolve(Errands(request, log, StopRequests(), display), None)
    display.close()
    backend = BackendSpec("onnxruntime", "cpu")
    batching = Batching(max_batch=BATCH, streams=1, threads=usable_cores())
    with ExitStack() as stack:
        model = Path(sources.model.path or "")
        session = open_sessions(benchmark, backend, model, batching, stack)[0]
        needs = session.adapter.needs
        prepared = prepare_samples(
            sources.dataset, layout=needs.layout, dtype=needs.dtype, cache=cache
        )
        library = SampleLibrary(prepared)
        predict = session.predictor(library)
        library.load(range(library.count))
        found: list[bytes] = []
        for first in range(0, library.count, BATCH):
            batch = np.arange(first, min(first + BATCH, library.count))
            found += predict(batch).texts()
    return replace(sources.dataset, count=len(found)), found


def image_scores(dataset: DatasetRef, found: list[bytes]) -> list[float]:
    """100 for each image whose label is right, else 0."""
    truth = [image.label for image in images_of(dataset).images]
    labels = [float(np.frombuffer(data, "<f4")[0]) for data in found]
    return [100.0 * (label == right) for label, right in zip(labels, truth, strict=True)]


def question_scores(dataset: DatasetRef, found: list[bytes]) -> list[float]:
    """F1 of each question, in percent."""
    squad = questions_of(dataset)
    features = read_features(squad, Vocabulary(Path(dataset.vocab or "")))
    logits = {i: np.frombuffer(data, "<f4").reshape(-1, 2) for i, data in enumerate(found)}
    predicted = best_answers(features, logits)
    return [
        round(100 * max(token_f1(predicted[q.id], answer) for answer in q.answers), 4)
        for q in squad.questions
    ]


def record(benchmark: str, cache: Path) -> dict[str, Any]:
    """The entry of one benchmark."""
    dataset, found = answers(benchmark, cache)
    score = image_scores if dataset.kind == "imagenet" else question_scores
    by_item = score(dataset, found)
    software = ", ".join(f"{name} {version}" for name, version in versions_in_use().items())
    return {
        "metric": benchmarks()[benchmark].metric,
        "reference": round(fmean(by_item), 4),
        "items": len(by_item),
        "how": f"FP32 on the CPU, batches of {BATCH}, without LoadGen: {software}",
        "dataset_sha256": dataset.sha256,
        "percent_by_item": by_item,
    }


def main() -> None:
    cache = default_cache()
    document = {name: record(name, cache) for name in benchmarks()}
    text = json.dumps(document)
    sys.stdout.write(
        text.replace('"percent_by_item": [', '"percent_by_item": [\n').replace("}, ", "},\n") + "\n"
    )


if __name__ == "__main__":
    main()
