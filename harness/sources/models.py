"""The model that a request means."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from datasets.disk.files import digest_of, sha256_of, tree_sha256
from datasets.disk.regular import irregular
from datasets.errors import ModelError, UsageError
from harness.running.errands import Errands
from harness.spec import ModelRef, Origin
from sut import zoo
from sut.backend import Provider


def find_model(errands: Errands, runtime: Provider) -> ModelRef:
    """The request's model, of a kind that ``runtime`` reads."""
    request = errands.request
    if not runtime.model_suffixes:
        return _of_the_backend(errands, runtime)
    if request.model is not None:
        return _model_file(request.model, "own", request.benchmark)
    if request.model_name is not None:
        return _named_model(errands, request.model_name, runtime)
    if request.model_dir is not None:
        return _official_model(request.model_dir, request.benchmark, runtime)
    path = errands.make_model(runtime.model_suffixes[0])
    return ModelRef(f"{request.benchmark}-embedded", str(path), sha256_of(path), "embedded")


def _of_the_backend(errands: Errands, runtime: Provider) -> ModelRef:
    """The model that a backend brings along: known by the backend's name and version alone."""
    request = errands.request
    if request.model or request.model_name or request.model_dir:
        raise UsageError(f"The backend {request.backend} brings its own model: name none.")
    version = runtime.availability().version
    identity = sha256(f"{request.backend} {version} {request.benchmark}".encode()).hexdigest()
    return ModelRef(f"{request.benchmark}-{request.backend}", None, identity, "own")


def _named_model(errands: Errands, name: str, runtime: Provider) -> ModelRef:
    entry, request = zoo.model(name), errands.request
    if entry.benchmark != request.benchmark or entry.suffix not in runtime.model_suffixes:
        raise UsageError(
            f"{entry.name} is a {entry.suffix} model of {entry.benchmark}; it can't be run as "
            f"{request.benchmark} on {request.backend}."
        )
    return _model_file(errands.fetch(entry.name), "official", entry.name)


def _model_file(path: Path, origin: Origin, name: str) -> ModelRef:
    if not path.exists():
        raise UsageError(f"There is no model at {path}.")
    kind = irregular(path)
    if kind is not None:
        raise UsageError(f"The model {path} is {kind}, not a file; name the file itself.")
    path = path.resolve()
    digest = tree_sha256(path)
    return ModelRef(f"{name}-{path.stem}" if origin == "own" else name, str(path), digest, origin)


def _official_model(folder: Path, benchmark: str, runtime: Provider) -> ModelRef:
    """The official file of the benchmark that lies in ``folder``, known by its checksum."""
    known = [
        entry
        for suffix in runtime.model_suffixes
        for entry in zoo.models(benchmark, suffix)
        if entry.origin == "official"
    ]
    if not folder.is_dir():
        raise UsageError(f"MODEL_DIR names {folder}, which is no folder.")
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
