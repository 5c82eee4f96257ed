"""A sweep from request to recommendation: lay out, say the plan, measure, compare.

Each configuration is measured in a child process of its own, and the record is written after each;
one that fails is a row with its cause. Started again, only what has no measurement is measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from typing import Any

from audit.rules import load_round
from datasets.cores import usable_cores
from datasets.errors import LoadproofError
from datasets.lock import hold
from harness.begin import Begun, begin, waiting
from harness.benchmarks import benchmark_named
from harness.exits import StoppedError
from harness.planning.survey import prepared
from harness.planning.targets import target_for
from harness.report.live import Display
from harness.request import Request
from harness.spec import DatasetRef
from harness.stop import StopRequests
from harness.sweep_request import SweepRequest
from harness.tuning.grid import Configuration, Grid
from harness.tuning.recommend import recommend
from harness.tuning.rows import Accuracy, Measured, Row
from harness.tuning.sweep_record import SweepRecord, read_record, write_record


def sweep(wanted: SweepRequest, grid: Grid, display: Display, stop: StopRequests) -> SweepRecord:
    """Measure ``grid``; sweep.json says what came of it. StoppedError after a signal."""
    with hold(wanted.lock, waiting(display, stop, wanted.folder)):
        empty = SweepRecord(wanted.request.benchmark, wanted.seconds)
        earlier = None if wanted.request.fresh else read_record(wanted.record)
        kept = earlier if earlier and earlier.seconds == wanted.seconds else empty
        record = replace(empty, skipped=grid.skipped)
        for step in _steps(wanted, grid, kept, display, stop):
            record = record.with_step(step)
            write_record(record.with_rest_of(kept, grid.configurations), wanted.record)
        advice = recommend(record.rows, wanted.goal, record.accuracies)
        record = replace(record, goal=wanted.goal, recommendations=advice)
        write_record(record, wanted.record)
    return record


def _steps(
    wanted: SweepRequest, grid: Grid, kept: SweepRecord, display: Display, stop: StopRequests
) -> Iterator[Row | Accuracy]:
    number = 0
    for session, group in groupby(grid.configurations, key=lambda one: one.session):
        same = list(group)
        opened = _opened(wanted.request_for(same[0]), display, stop)
        if wanted.accuracy and not isinstance(opened, str):
            display.step(f"Scoring {session}")
            known = [one for one in kept.accuracies if opened.is_kept(one, session)]
            yield known[0] if known else opened.accuracy(session)
        for one in same:
            number += 1
            display.step(f"[{number}/{len(grid.configurations)}] {one}")
            if isinstance(opened, str):
                yield Row(one, "", None, opened)
                continue
            rows = [row for row in kept.rows if _is_kept(row, one, opened)]
            yield rows[0] if rows else opened.row(one, wanted.seconds)


def _is_kept(row: Row, one: Configuration, opened: _Opened) -> bool:
    return row.configuration == one and row.request == opened.begun.key and row.measured is not None


@dataclass(frozen=True)
class _Opened:
    """A backend at one precision, with its model found and its samples prepared."""

    begun: Begun
    dataset: DatasetRef

    def row(self, one: Configuration, seconds: float) -> Row:
        """``one`` measured, or failed."""
        try:
            return Row(one, self.begun.key, self._measured(one, seconds))
        except StoppedError:
            raise
        except LoadproofError as error:
            return Row(one, self.begun.key, None, str(error))

    def is_kept(self, accuracy: Accuracy, session: str) -> bool:
        """Whether ``accuracy`` is that of what is open now."""
        is_same = (accuracy.session, accuracy.request) == (session, self.begun.key)
        return is_same and accuracy.percent is not None

    def accuracy(self, session: str) -> Accuracy:
        """The score on the whole dataset, or why there is none."""
        begun, request = self.begun, self.begun.session.request
        rules, benchmark = load_round(request.round), benchmark_named(request.benchmark)
        target = target_for(benchmark, begun.sources.model, self.dataset, rules)
        asked = {"dataset": asdict(self.dataset), "threads": usable_cores()}
        try:
            found = self._call("scoring", "scoring:score", asked | {"target": target.document()})
        except StoppedError:
            raise
        except LoadproofError as error:
            return Accuracy(session, begun.key, None, target.value, False, str(error))
        return Accuracy(session, begun.key, found["percent"], target.value, found["passed"])

    def _call(self, doing: str, chore: str, asked: dict[str, Any]) -> Any:
        backend, model = self.begun.backend, self.begun.sources.model
        errands = self.begun.session.errands
        return errands.ask(
            f"harness.running.{chore}",
            errands.opening(backend, model.path) | asked,
            f"{doing} {backend.name}/{backend.device}",
        )

    def _measured(self, one: Configuration, seconds: float) -> Measured:
        shape = {"streams": one.streams, "threads": one.threads, "batch": one.batch}
        asked = {"store": self.dataset.store, "seconds": seconds, **shape}
        seen = self._call("measuring", "closed_loop:measure", asked)
        return Measured(
            samples_per_s=seen["samples"] / seen["wall_s"],
            p50_ms=seen["p50_ms"],
            p90_ms=seen["p90_ms"],
            p99_ms=seen["p99_ms"],
            batches=seen["batches"],
            peak_rss_bytes=seen["peak_rss_bytes"],
            cpu_percent=100 * seen["cpu_s"] / seen["wall_s"] / usable_cores(),
        )


def _opened(request: Request, display: Display, stop: StopRequests) -> _Opened | str:
    """What is measured, or why it can't be."""
    try:
        begun = begin(request, display, stop)
        return _Opened(begun, prepared(begun.session, begun.backend, begun.sources))
    except StoppedError:
        raise
    except LoadproofError as error:
        return str(error)
