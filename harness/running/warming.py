"""First calls are slow and no measurement of anything: every size of batch is run beforehand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from datasets.samples.library import SampleLibrary
from harness.spec import MULTISTREAM_SAMPLES, RunSpec
from sut.predictor import Predictor, Spent

WARM_UP_BATCHES = 2


def warm_up(
    predictors: Sequence[Predictor], library: SampleLibrary, batch_sizes: Sequence[int]
) -> None:
    """Run every one of ``batch_sizes`` through every predictor. No sample stays loaded, and what
    the predictors spent is forgotten."""
    for size in batch_sizes:
        indices = np.arange(size, dtype=np.int64) % library.count
        library.load(np.unique(indices))
        for predictor in predictors:
            for _ in range(WARM_UP_BATCHES):
                predictor(indices)
        library.unload(np.unique(indices))
    for predictor in predictors:
        predictor.spent = Spent()


def warm_sizes(spec: RunSpec) -> tuple[int, ...]:
    """The batch sizes that the streams of a run surely use."""
    largest = spec.batching.max_batch
    sizes = {
        "SingleStream": {1},
        "MultiStream": {min(MULTISTREAM_SAMPLES, largest)},
        "Offline": {largest},
        "Server": {1, largest},
    }
    return tuple(sorted(sizes[spec.scenario]))
