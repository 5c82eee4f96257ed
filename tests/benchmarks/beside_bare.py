"""In a child process: a run of ours, and after some of its batches the runtime's own calls on them.

So both take turns. LoadGen counts no time between the completion of a query and the
issue of the next; in Offline, what the bare calls took is taken off.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.samples.library import SampleLibrary
from datasets.samples.prepared import Progress
from datasets.samples.store import open_prepared
from harness.running.run import Run
from harness.running.system import Session
from harness.running.worker import measure, open_system
from sut.adapter import Answers
from sut.predictor import Predictor
from tests.benchmarks.bare import bare_call


class Remembering(Predictor):
    """A predictor that remembers the indices of its latest batches."""

    def __init__(self, predictor: Predictor) -> None:
        vars(self).update(vars(predictor))
        self.latest: list[NDArray[np.int64]] = []

    def __call__(self, indices: NDArray[np.int64]) -> Answers:
        self.latest.append(indices)
        return super().__call__(indices)


@dataclass
class Bare:
    """The runtime's own call on the batches of a session, timed."""

    session: Session
    library: SampleLibrary
    """Of its own: LoadGen unloads the run's as soon as the last sample is completed."""

    def __post_init__(self) -> None:
        self.call = bare_call(self.session.backend, self.session.adapter.outputs)
        self.ours_s: list[float] = []
        """From a completion, or the end of the bare calls after it, to the next completion; without
        meaning for the first batch."""
        self.calls_s: list[float] = []
        self.blocks_s: list[float] = []
        """The calls with what it took to get them ready."""

    def repeat(self, indices: NDArray[np.int64]) -> None:
        """Call on the samples ``indices``."""
        entered = time.perf_counter()
        feeds = dict(self.session.adapter.feeds(self.library.gather(indices)))
        began = time.perf_counter()
        self.call(feeds)
        ended = time.perf_counter()
        self.calls_s.append(ended - began)
        self.blocks_s.append(ended - entered)


class BesideRun(Run):
    """A run that has its batches repeated by ``bare``, once ``turn`` of them are completed."""

    predictor: Remembering
    bare: Bare
    turn: int
    resumed = 0.0
    """When the latest bare call had ended."""

    def complete(self, ids: Sequence[int], answers: Answers) -> None:
        super().complete(ids, answers)
        self.bare.ours_s.append(time.perf_counter() - self.resumed)
        if len(self.predictor.latest) == self.turn:
            for indices in self.predictor.latest:
                self.bare.repeat(indices)
            self.predictor.latest.clear()
        self.resumed = time.perf_counter()


def _all_loaded(run: Run) -> SampleLibrary:
    library = SampleLibrary(open_prepared(Path(run.spec.dataset.store)))
    library.load(range(library.count))
    return library


def compare(argument: dict[str, Any], _progress: Progress) -> dict[str, Any]:
    """{folder of a run with one stream, turn} → {ours_s, calls_s, blocks_s: of every batch,
    predict_s: of ours}; LoadGen's log stays in the folder."""
    run = BesideRun(Path(argument["folder"]))
    run.turn = argument["turn"]
    with ExitStack() as stack:
        opened = open_system(run, stack)
        run.predictor = Remembering(opened.predictors[0])
        run.bare = Bare(opened.sessions[0], _all_loaded(run))
        measure(run, replace(opened, predictors=[run.predictor]))
    return {
        "ours_s": run.bare.ours_s,
        "calls_s": run.bare.calls_s,
        "blocks_s": run.bare.blocks_s,
        "predict_s": run.report["streams"]["predict_s"],
    }
