"""The child process of one LoadGen run: ``python -m harness.running.worker RUN_FOLDER PARENT_PID``.

It opens the system that the folder's spec.json asks for, warms it, runs LoadGen once, and leaves
LoadGen's logs and worker.json. The first failed answer ends the process at once with its cause in
worker.json; judging what was left is the supervisor's and the audit's.
"""

from __future__ import annotations

import faulthandler
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from datasets.samples.library import SampleLibrary
from datasets.samples.store import open_prepared
from harness import exits
from harness.host.software import versions_in_use
from harness.running import loadgen
from harness.running.audit_config import write_audit_config
from harness.running.death import die_with_parent
from harness.running.pauses import shorten_pauses
from harness.running.progress import Phase
from harness.running.run import Run
from harness.running.stream_record import stream_record
from harness.running.system import Session, describe, has_even_work, make_stream, open_sessions
from harness.running.warming import warm_sizes, warm_up
from harness.spec import LOADGEN_OFFLINE_MARGIN, RunSpec
from sut.predictor import Predictor


class _CountedIssue:
    """A stream whose issued samples are counted in the progress."""

    def __init__(self, run: Run, stream: loadgen.Issue) -> None:
        self._progress, self._stream = run.progress, stream
        self.flush = stream.flush

    def issue(self, ids: list[int], indices: list[int]) -> None:
        self._progress.issue(len(ids))
        self._stream.issue(ids, indices)


def expected_samples(spec: RunSpec, library_count: int) -> int:
    """Samples that LoadGen will send as far as can be said beforehand; 0 where time decides."""
    if spec.mode == "accuracy":
        return library_count
    settings = spec.loadgen
    if spec.scenario == "Offline" and settings.target_qps:
        by_time = int(
            LOADGEN_OFFLINE_MARGIN * settings.target_qps * settings.min_duration_ms / 1000
        )
        return max(settings.min_query_count, by_time)
    return 0


@dataclass(frozen=True)
class Opened:
    """The system of a run, warmed and ready to be measured."""

    library: SampleLibrary
    sessions: Sequence[Session]
    predictors: Sequence[Predictor]


def execute(run: Run) -> None:
    """The whole run. Raises before LoadGen starts; afterwards failures go through ``run.fail``."""
    with ExitStack() as stack:
        measure(run, open_system(run, stack))


def open_system(run: Run, stack: ExitStack) -> Opened:
    """Open and warm what the run's spec asks for; closed with ``stack``."""
    spec = run.spec
    run.progress.enter(Phase.OPENING)
    library = SampleLibrary(open_prepared(Path(spec.dataset.store)))
    model = Path(spec.model.path) if spec.model.path else None
    sessions = open_sessions(spec.benchmark, spec.backend, model, spec.batching, stack)
    described = describe(sessions)
    run.report |= {
        "device_used": described.device_used,
        "facts": described.facts,
        "software": versions_in_use(),
    }
    run.progress.enter(Phase.WARMING)
    predictors = [session.predictor(library) for session in sessions]
    warm_up(predictors, library, warm_sizes(spec))
    return Opened(library, sessions, predictors)


def measure(run: Run, opened: Opened) -> None:
    """LoadGen's part of the run, once in the life of a process, and the report."""
    spec, library = run.spec, opened.library
    stream = make_stream(
        spec.scenario,
        opened.predictors,
        [session.cores for session in opened.sessions],
        spec.batching,
        library,
        run.complete,
        run.fail,
    )
    shorten_pauses()
    run.progress.enter(Phase.RUNNING, expected_samples(spec, library.count))
    began = time.monotonic()
    loadgen.run(
        spec.loadgen,
        spec.benchmark,
        library,
        _CountedIssue(run, stream),
        run.folder,
        write_audit_config(spec, run.folder),
        guard=run.guard,
    )
    run.progress.enter(Phase.FINISHING)
    stream.close()
    run.write_report(
        streams=stream_record(stream.statistics(), opened.predictors),
        completions=run.completions.document(even=has_even_work(spec.scenario, library)),
        measured_seconds=time.monotonic() - began,
    )


def main(arguments: Sequence[str]) -> int:
    folder, parent = Path(arguments[0]), int(arguments[1])
    die_with_parent(parent)
    faulthandler.enable()
    run = Run(folder)
    try:
        execute(run)
    except BaseException as error:  # noqa: BLE001 — the process edge
        run.fail(error)
    return exits.FINE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
