"""In a child process: LoadGen with a Python callback that answers at once and does nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from audit import schema
from datasets.samples.prepared import Progress
from harness.running import loadgen, rundir
from harness.spec import spec_from


class NothingToLoad:
    """A query sample library of samples without content."""

    def __init__(self, count: int) -> None:
        self.count = count

    def load(self, indices: Sequence[int]) -> None:
        """Nothing."""

    def unload(self, indices: Sequence[int]) -> None:
        """Nothing."""


class Empty:
    """Answers in the issuing thread, with answers of no bytes."""

    def issue(self, ids: list[int], indices: list[int]) -> None:
        import mlperf_loadgen as lg

        response = lg.QuerySampleResponse
        lg.QuerySamplesComplete([response(sample, 0, 0) for sample in ids])

    def flush(self) -> None:
        """Nothing waits."""


def run(argument: dict[str, Any], _progress: Progress) -> None:
    """{folder of a run}: LoadGen's log stays there."""
    folder = Path(argument["folder"])
    spec = spec_from(schema.read(folder / rundir.SPEC, "spec"))
    library = NothingToLoad(spec.dataset.count)
    loadgen.run(spec.loadgen, spec.benchmark, library, Empty(), folder)
