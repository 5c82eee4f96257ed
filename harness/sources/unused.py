"""Options about models and data that would change nothing are refused, never passed over.

Somebody who names a label map means it: a run that did without would be called by the wrong name.
"""

from __future__ import annotations

from datasets.errors import UsageError
from harness.benchmarks import Benchmark
from harness.request import Request
from sut.backend import Provider


def refuse_unused(request: Request, benchmark: Benchmark, runtime: Provider) -> None:
    """UsageError for the first option that ``runtime`` or ``benchmark`` has no use for."""
    given = _given(request)
    if not runtime.model_suffixes:
        _refuse(given, given, f"the backend {request.backend} takes neither a model nor data")
    if benchmark.dataset_kind == "imagenet":
        _refuse(given, {"--vocab"}, f"{benchmark.name} has no vocabulary")
    else:
        _refuse(given, {"--labels", "--allow-subset"}, f"{benchmark.name} has no images")
    if request.data is None and request.model_name is None:
        _refuse(given, {"--labels", "--allow-subset", "--vocab"}, "no dataset is named with --data")


def _given(request: Request) -> list[str]:
    options = {
        "--model": request.model or request.model_name,
        "--model-dir (or MODEL_DIR)": request.model_dir,
        "--data (or DATA_DIR)": request.data,
        "--labels": request.labels,
        "--allow-subset": request.allow_subset,
        "--vocab": request.vocab,
    }
    return [option for option, value in options.items() if value]


def _refuse(given: list[str], unused: set[str] | list[str], why: str) -> None:
    for option in given:
        if option in unused:
            raise UsageError(f"{option} would change nothing, because {why}: leave it out.")
