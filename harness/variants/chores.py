"""What making a variant does in child processes; see :mod:`harness.running.child`."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from audit.accuracy.target import Target
from audit.accuracy.truth import Truth, truth_of
from audit.logs.accuracy_log import AccuracyRecord
from audit.planned.plan import dataset_from
from datasets.calibration import chosen_images, read_calibration_list
from datasets.cores import usable_cores
from datasets.samples.library import SampleLibrary
from datasets.samples.prepared import Prepared, Progress
from datasets.samples.store import open_prepared
from harness.running.system import open_sessions, sessions_asked_for
from harness.spec import BackendSpec, Batching
from harness.variants.comparing import compare
from sut.quantization.provenance import Calibration, Provenance
from sut.quantization.recipes import recipe


def make(wanted: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Make a model file: {benchmark, precision, source, source_name, source_sha256, target,
    calibration {name, path, images, labels} or null, reduce_range, cache, software} → {path}."""
    from sut.quantization.making import make_model

    how = recipe(wanted["benchmark"], wanted["precision"])
    source, target = Path(wanted["source"]), Path(wanted["target"])
    with ExitStack() as stack:
        reader, calibration = _calibration(wanted, progress, stack)
        provenance = Provenance(
            precision=wanted["precision"],
            method=how.method + (", weights of 7 bits" if wanted["reduce_range"] else ""),
            source=wanted["source_name"],
            source_sha256=wanted["source_sha256"],
            calibration=calibration,
            software=wanted["software"],
        )
        reduced = wanted["reduce_range"]
        make_model(source, target, how, provenance, reader=reader, reduce_range=reduced)
    return {"path": str(target)}


def _calibration(
    wanted: dict[str, Any], progress: Progress, stack: ExitStack
) -> tuple[Any, Calibration | None]:
    """The reader of the samples and what the file says of them; nothing where none are needed."""
    from sut.quantization.calibrating import CalibrationReader

    asked = wanted["calibration"]
    if asked is None:
        return None, None
    backend, batching = (
        BackendSpec("onnxruntime", "cpu"),
        Batching(1, streams=1, threads=usable_cores()),
    )
    model = Path(wanted["source"])
    (source,) = open_sessions(wanted["benchmark"], backend, model, batching, stack)
    images = _calibration_images(
        asked, source.adapter.needs.layout, Path(wanted["cache"]), progress
    )
    chosen = read_calibration_list(Path(asked["path"]))
    told = Calibration(asked["name"], chosen.sha256, images.count)
    return CalibrationReader(SampleLibrary(images), source.adapter), told


def _calibration_images(
    asked: dict[str, Any], layout: str, cache: Path, progress: Progress
) -> Prepared:
    from datasets.images.imagenet import read_imagenet
    from datasets.images.preparing import prepare_images

    labels = Path(asked["labels"]) if asked["labels"] else None
    images = read_imagenet(Path(asked["images"]), labels, allow_subset=True)
    chosen = chosen_images(images, read_calibration_list(Path(asked["path"])))
    return prepare_images(chosen, layout, cache, progress, usable_cores())


def side_by_side(wanted: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Compare a variant with its source: {sides, dataset, threads, batch, target} → {sides, ratio,
    batch, samples}. A side that is asked for is {benchmark, backend, model}."""
    library = SampleLibrary(open_prepared(Path(wanted["dataset"]["store"])))
    with ExitStack() as stack:
        batching = Batching(max_batch=1, streams=1, threads=wanted["threads"])
        sessions = [sessions_asked_for(side, batching, stack)[0] for side in wanted["sides"]]
        fixed = [one.adapter.max_batch for one in sessions if one.adapter.max_batch]
        batch = min([wanted["batch"], library.count, *fixed])
        first, second = (one.predictor(library) for one in sessions)
        pairs = compare(first, second, library, batch, progress)
    truth, target = truth_of(dataset_from(wanted["dataset"])), Target(**wanted["target"])
    return {
        "sides": [
            {**_score(truth, target, pairs.records[side]), "samples_per_s": pairs.rate(side)}
            for side in (0, 1)
        ],
        "ratio": dict(zip(("low", "median", "high"), pairs.ratio(), strict=True)),
        "batch": batch,
        "samples": library.count,
    }


def _score(truth: Truth, target: Target, records: list[AccuracyRecord]) -> dict[str, Any]:
    score = truth.score(records)
    verdict = score.judge(target)
    return {"accuracy": score.value, "passed": verdict.passed, "margin": verdict.margin}
