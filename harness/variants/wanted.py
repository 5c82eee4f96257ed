"""What was asked for, besides the request that says which model and data; and what is refused."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from datasets.errors import BackendError, UsageError
from harness.benchmarks import benchmark_named
from harness.request import Request
from sut.backend import Provider, provider
from sut.backends.onnxruntime.quantised import precision_of
from sut.inspection.onnx_file import made_facts
from sut.model_file import check_model_file
from sut.quantization.recipes import Recipe, recipe

_SOURCE = "fp32"


@dataclass(frozen=True)
class Wanted:
    """A variant of lower precision."""

    precision: str
    target: Path | None = None
    """Where the made file goes; None for a name of our choice in the current folder."""
    calibration: str | None = None
    """The name of a published list, or a file; None for the one that goes with the data."""
    reduce_range: bool = False
    check: bool = True
    """Whether the variant is held to the accuracy target at once."""


def recipe_for(request: Request, wanted: Wanted) -> Recipe | None:
    """How the file is made; None where the runtime lowers the precision itself, without a file.

    UsageError or BackendError for what can't be done, before anything is looked up.
    """
    benchmark_named(request.benchmark)
    runtime = provider(request.backend)
    seen = runtime.availability()
    if seen.version is None:
        raise BackendError(f"The backend {request.backend} can't be used here: {seen.reason}")
    _refuse_precision(runtime, wanted.precision)
    if ".onnx" not in runtime.model_suffixes:
        _refuse_makers_options(runtime, wanted)
        return None
    how = recipe(request.benchmark, wanted.precision)
    if wanted.calibration is not None and how.calibrator is None:
        raise UsageError(f"--calibration would change nothing: {how.method}; leave it out.")
    if wanted.reduce_range and wanted.precision != "int8":
        raise UsageError("--reduce-range is about weights of 8 bits: leave it out.")
    return how


def _refuse_precision(runtime: Provider, precision: str) -> None:
    lower = [known for known in runtime.precisions if known != _SOURCE]
    if not lower:
        raise UsageError(f"The backend {runtime.name} has no lower precision; ask for another.")
    if precision not in lower:
        raise UsageError(
            f"The backend {runtime.name} has no lower precision {precision!r}; ask for "
            f"{' or '.join(lower)}."
        )


def _refuse_makers_options(runtime: Provider, wanted: Wanted) -> None:
    given = {
        "--to": wanted.target is not None,
        "--calibration": wanted.calibration is not None,
        "--reduce-range": wanted.reduce_range,
        "--no-check": not wanted.check,
    }
    for option, used in given.items():
        if used:
            raise UsageError(
                f"{option} makes no sense here: {runtime.name} lowers the precision as it loads "
                "the model, so there is no file to make, only to check."
            )


def refuse_foreign(target: Path) -> None:
    """UsageError where a file would be overwritten that no earlier command of ours has made."""
    if target.suffix != ".onnx":
        raise UsageError(f"{target} can't be the made model: its name must end in .onnx.")
    if target.exists() and not made_facts(target):
        raise UsageError(
            f"{target} is there already and was not made by `loadproof quantize`: move it away, or "
            "name another file with --to."
        )


def refuse_lowered(source: Path) -> None:
    """UsageError where the source itself is of a lower precision: nothing is made twice; ModelError
    where it is no model at all."""
    found = precision_of(check_model_file(source, ".onnx"))
    if found != _SOURCE:
        raise UsageError(
            f"{source} is {found} already; name the float32 model that it was made from."
        )
