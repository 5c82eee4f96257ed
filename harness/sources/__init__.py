"""Which model and which dataset a request means, and their identities.

    nothing named               the embedded model and data of the benchmark
    --model FILE                that model; with --data, on that dataset, else on the embedded one
    --model NAME                the official model of that name, fetched once, on official data
    MODEL_DIR and DATA_DIR      the official model, found there by its checksum, on that dataset
    backend ``simulated``       no model and simulated samples

A model or dataset is called official only where its content is what was published.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

from datasets.errors import UsageError
from harness.benchmarks import benchmark_named
from harness.request import Request
from harness.running.errands import Errands
from harness.sources.data import find_dataset
from harness.sources.models import find_model
from harness.sources.unused import refuse_unused
from harness.spec import DatasetRef, ModelRef
from sut.backend import provider

SIMULATED_SAMPLES = 1024
SIMULATED: Literal["simulated"] = "simulated"


@dataclass(frozen=True)
class Sources:
    """The model and the dataset. The dataset's store and count come with its preparation."""

    model: ModelRef
    dataset: DatasetRef


def resolve(errands: Errands, first: int | None) -> Sources:
    """Find, fetch or generate what the request means; ``first`` cuts the dataset short.

    Raises UsageError, DataError, ModelError or FetchError with what to do.
    """
    request = errands.request
    benchmark = benchmark_named(request.benchmark)
    runtime = provider(request.backend)
    refuse_unused(request, benchmark, runtime)
    if request.backend == SIMULATED:
        return _simulated(request, first)
    model = find_model(errands, runtime)
    return Sources(model, find_dataset(errands, benchmark, first))


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
