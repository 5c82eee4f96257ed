"""Whether what a search was told still stands in the folders of its runs.

search.json is a summary: a run is believed for its own sealed record and for LoadGen's own log.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from pathlib import Path

from audit.evidence.sealing import is_as_left
from datasets.errors import EvidenceError
from harness.running import rundir
from harness.running.supervisor import RunResult
from harness.spec import RunSpec
from harness.tuning.search import Step, Tell
from harness.tuning.search_record import SearchRecord
from harness.tuning.told import spec_of, told


def borne_out(record: SearchRecord, probe_ms: int, folder: Callable[[int], Path]) -> list[Tell]:
    """The tells before the first one that ``folder`` of its number, from 1, does not bear out.

    Those after it are left out too: they were asked for because of it.
    """

    def stands(numbered: tuple[int, Tell]) -> bool:
        number, tell = numbered
        step = Step(tell.kind, tell.asked_qps)
        return _shown(step, spec_of(step, record.spec, probe_ms, number), folder(number)) == tell

    return [tell for _, tell in takewhile(stands, enumerate(record.tells, 1))]


def _shown(step: Step, spec: RunSpec, folder: Path) -> Tell | None:
    """What the run in ``folder`` shows; None where it is not the one of ``spec``, or not whole."""
    run = rundir.read_record(folder)
    if run is None or not is_as_left(folder, run) or run["spec"] != spec.document():
        return None
    try:
        return told(step, spec, RunResult(folder, run))
    except EvidenceError:
        return None
