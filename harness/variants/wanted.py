"""What was asked for, besides the request that says which model and data; and whether it is a
thing that can be made."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from datasets.errors import UsageError
from harness.benchmarks import benchmark_named
from harness.request import Request
from sut.backend import Provider, usable_provider
from sut.quantization.recipes import Recipe, recipe

SOURCE_PRECISION = "fp32"


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
    runtime = usable_provider(request.backend)
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
    lower = [known for known in runtime.precisions if known != SOURCE_PRECISION]
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
