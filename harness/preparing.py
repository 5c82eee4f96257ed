"""``loadproof prepare``: what runs need, brought to this machine once and proven right.

Everything ends in the cache, where ``qualify`` finds it; doing it again costs a check.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from datasets.calibration import CALIBRATION_LISTS, read_calibration_list
from datasets.disk.files import sha256_of
from datasets.errors import BackendError, UsageError
from datasets.samples.store import open_prepared
from harness.benchmarks import benchmarks
from harness.request import Request
from harness.running.errands import Errands
from harness.sources.data import find_dataset
from harness.spec import DatasetRef
from sut import zoo
from sut.backend import availability_of, providers

LAYOUTS = {".onnx": "NCHW", ".pb": "NHWC"}
"""Ending of a model file → layout of the images that such models take."""
TOKEN_TYPES = {".onnx": "int64", ".pb": "int32"}


@dataclass(frozen=True)
class Ready:
    """One thing that is ready for use."""

    what: str
    samples: int | None
    size_bytes: int
    sha256: str
    """Of a file; for samples, over their source and how they were prepared."""
    path: str


@dataclass(frozen=True)
class Preparation:
    """Prepares things for one cache."""

    errands: Errands

    def models(self, names: Sequence[str]) -> list[Ready]:
        """Fetch official models; UsageError for a name that is none."""
        official = [entry.name for entry in zoo.models() if entry.origin == "official"]
        unknown = [name for name in names if name not in official]
        if unknown:
            raise UsageError(
                f"There is no official model {unknown[0]!r}; those are: {', '.join(official)}. "
                "`loadproof prepare embedded` makes the embedded ones."
            )
        return [_file(name, self.errands.fetch(name)) for name in names]

    def embedded(self) -> list[Ready]:
        """The embedded models for every runtime that is installed, and their samples."""
        ready = []
        suffixes = _suffixes()
        if not suffixes:
            raise BackendError(
                "No runtime is installed that reads the embedded models; install loadproof's extra "
                "cpu, gpu or tf."
            )
        for name in benchmarks():
            for suffix in suffixes:
                errands = self._for(name)
                path = errands.make_model(suffix)
                ready.append(_file(f"{name}-embedded{suffix}", path))
                ready.append(self.samples(name, LAYOUTS[suffix], TOKEN_TYPES[suffix]))
        return ready

    def calibration(self) -> list[Ready]:
        """Fetch the published calibration lists of the request's benchmark."""
        names = CALIBRATION_LISTS[self.errands.request.benchmark]
        return [_calibration(name, self.errands.fetch(name)) for name in names]

    def samples(self, benchmark: str, layout: str, dtype: str) -> Ready:
        """The samples of the request's dataset of ``benchmark``, in the cache."""
        errands = self._for(benchmark)
        dataset = find_dataset(errands, benchmarks()[benchmark], None)
        errands.display.step(f"Preparing {dataset.name}")
        return _samples(errands.prepare(dataset, layout, dtype))

    def _for(self, benchmark: str) -> Errands:
        return replace(self.errands, request=replace(self.errands.request, benchmark=benchmark))


def _suffixes() -> list[str]:
    """Endings of the models that the installed runtimes read, as the embedded ones are made."""
    found = []
    for name, runtime in providers().items():
        if availability_of(name).version and runtime.model_suffixes:
            found.append(runtime.model_suffixes[0])
    return [suffix for suffix in LAYOUTS if suffix in found]


def _file(what: str, path: Path) -> Ready:
    return Ready(what, None, path.stat().st_size, sha256_of(path), str(path))


def _calibration(name: str, path: Path) -> Ready:
    return replace(_file(name, path), samples=len(read_calibration_list(path).items))


def _samples(dataset: DatasetRef) -> Ready:
    store = Path(dataset.store)
    prepared = open_prepared(store)
    size = sum(file.stat().st_size for file in store.iterdir())
    what = f"{dataset.name} ({dataset.origin})"
    return Ready(what, prepared.count, size, prepared.key, str(store))


def request_for(benchmark: str, cache: Path, **choices: Any) -> Request:
    """A request that only prepares."""
    plain = Request(benchmark, "onnxruntime", "cpu", output=cache, cache=cache)
    return replace(plain, **choices)
