"""Looking for the highest Server rate by itself: no plan, no accuracy, no verdict on a machine.

Its runs lie apart from evidence, in OUT/search/ID. Started again, it goes on after the last run,
under the limit that it began with.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from datasets.disk.lock import hold
from harness.begin import Begun, begin, waiting
from harness.planning import plan
from harness.planning.server_rate import bench_of, new_search
from harness.planning.survey import survey
from harness.request import Request
from harness.running import rundir
from harness.running.display import Display
from harness.running.rundir import Evidence
from harness.stop import StopRequests
from harness.tuning.rate_search import carry_out
from harness.tuning.search_record import SearchRecord, read_record

FOLDER = "search"
MOST_RUNS = 12
"""Before the last confirming one, if the user doesn't say."""


@dataclass(frozen=True)
class Found:
    """A search and where its record lies."""

    record: SearchRecord
    path: Path

    @property
    def last_run(self) -> Path:
        """The folder of the last run."""
        return self.path.parent / f"probe_{len(self.record.tells)}"


def search(request: Request, most_runs: int, display: Display, stop: StopRequests) -> Found:
    """Find the highest VALID Server rate, or go on looking. Errors as ``qualify``."""
    begun = begin(request, display, stop)
    name = plan.evidence_id(begun.backend, begun.sources.model)
    place = Evidence(request.output / FOLDER / name)
    with hold(place.lock, waiting(display, stop, place.root)):
        return _search(begun, place, most_runs)


def _search(begun: Begun, place: Evidence, most_runs: int) -> Found:
    job = begun.job
    inputs = survey(begun, place.root.name)
    fresh = new_search(inputs, most_runs, confirm=True)
    path = place.search(inputs.benchmark)
    earlier = None if job.request.fresh else read_record(path)
    if earlier and earlier.request == fresh.request and earlier.goal.most_runs == most_runs:
        job.display.note(f"{len(earlier.tells)} runs of this search are done already.")
        return Found(carry_out(earlier, bench_of(job, inputs, path)), path)
    rundir.set_aside(place.root, "An earlier search", job.display.note)
    return Found(carry_out(fresh, bench_of(job, inputs, path)), path)
