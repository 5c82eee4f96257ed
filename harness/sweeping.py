"""A sweep from request to recommendation: lay out, say the plan, measure, compare.

Each configuration is measured in a child process of its own, and the record is written after each;
one that fails is a row with its cause. Started again, only what has no measurement is measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any, cast, get_args

from audit.rules import load_round
from datasets.cores import usable_cores
from datasets.errors import BackendError, LoadproofError, UsageError
from datasets.lock import hold
from harness import child
from harness.begin import Begun, begin, waiting
from harness.benchmarks import benchmark_named
from harness.exits import StoppedError
from harness.report.live import Display
from harness.request import Request
from harness.spec import DatasetRef
from harness.stop import StopRequests
from harness.survey import prepared
from harness.tuning.grid import PROVIDER_OPTION, Axes, Configuration, Grid, Offer, lay_out
from harness.tuning.recommend import Goal, Kind, recommend
from harness.tuning.rows import Measured, Row
from harness.tuning.sweep_record import SweepRecord, read_rows, write_record
from sut.backend import availability_of, provider

FOLDER = "sweep"
OPENING_S = 4.0
"""About how long it takes to open a model and to warm it up."""


@dataclass(frozen=True)
class SweepRequest:
    """What is swept. ``request`` says everything that is not varied."""

    request: Request
    axes: Axes
    seconds: float
    goal: Goal

    @property
    def folder(self) -> Path:
        return self.request.output / FOLDER / self.request.benchmark

    @property
    def record(self) -> Path:
        return self.folder / "sweep.json"

    @property
    def lock(self) -> Path:
        return self.folder.parent / f".{self.folder.name}.lock"

    def grid(self) -> Grid:
        """What will be measured, and what not."""
        cores = max(1, usable_cores() // len(self.request.devices))
        return lay_out(self.axes, {name: _offer(name) for name in self.axes.backends}, cores)

    def request_for(self, one: Configuration) -> Request:
        """The request that opens what ``one`` needs."""
        chosen = {PROVIDER_OPTION: one.provider} if one.provider else {}
        return replace(
            self.request,
            backend=one.backend,
            precision=one.precision,
            options={**self.request.options, **chosen},
        )


def goal_from(
    kind: str, latency_limit_ms: float | None, price_per_hour: float | None, request: Request
) -> Goal:
    """The goal that the user states; Server's limit is the round's where none is given."""
    if kind not in get_args(Kind):
        raise UsageError(f"There is no goal {kind!r}; the goals are {', '.join(get_args(Kind))}.")
    if kind == "latency" and latency_limit_ms is None:
        raise UsageError("The goal latency needs a limit: give one with --latency-limit-ms.")
    if kind == "cost" and price_per_hour is None:
        raise UsageError("The goal cost needs a price: give one with --price-per-hour.")
    benchmark_named(request.benchmark)
    official_ns = load_round(request.round).benchmark(request.benchmark).latency_limit_ns("Server")
    official_ms = None if official_ns is None else official_ns / 1e6
    return Goal(cast(Kind, kind), latency_limit_ms or official_ms, price_per_hour)


def _offer(name: str) -> Offer:
    try:
        runtime = provider(name)
    except BackendError as error:
        return Offer((), (), str(error))
    seen = availability_of(name)
    if seen.version is None:
        return Offer((), (), f"{name} can't be used here: {seen.reason}")
    return Offer(tuple(runtime.precisions), tuple(runtime.options))


def estimated_s(grid: Grid, seconds: float) -> float:
    """About how long a sweep takes."""
    return len(grid.configurations) * (seconds + OPENING_S)


def sweep(wanted: SweepRequest, grid: Grid, display: Display, stop: StopRequests) -> SweepRecord:
    """Measure ``grid``; sweep.json says what came of it. StoppedError after a signal."""
    path = wanted.record
    with hold(wanted.lock, waiting(display, stop, wanted.folder)):
        earlier = () if wanted.request.fresh else read_rows(path, wanted.seconds)
        record = SweepRecord(wanted.request.benchmark, wanted.seconds, (), grid.skipped)
        for row in _rows(wanted, grid, list(earlier), display, stop):
            record = replace(record, rows=(*record.rows, row))
            write_record(record, path)
        advice = recommend(record.rows, wanted.goal)
        record = replace(record, goal=wanted.goal, recommendations=advice)
        write_record(record, path)
    return record


def _rows(
    wanted: SweepRequest, grid: Grid, earlier: list[Row], display: Display, stop: StopRequests
) -> Iterator[Row]:
    number = 0
    for _, group in groupby(grid.configurations, key=lambda one: one.session):
        same = list(group)
        opened = _opened(wanted.request_for(same[0]), display, stop)
        for one in same:
            number += 1
            display.step(f"[{number}/{len(grid.configurations)}] {one}")
            if isinstance(opened, str):
                yield Row(one, "", None, opened)
                continue
            kept = [row for row in earlier if _is_kept(row, one, opened)]
            yield kept[0] if kept else opened.row(one, wanted.seconds)


def _is_kept(row: Row, one: Configuration, opened: _Opened) -> bool:
    return row.configuration == one and row.request == opened.begun.key and row.measured is not None


@dataclass(frozen=True)
class _Opened:
    """A backend at one precision, with its model found and its samples prepared."""

    begun: Begun
    dataset: DatasetRef

    def row(self, one: Configuration, seconds: float) -> Row:
        try:
            return Row(one, self.begun.key, self._measured(one, seconds))
        except StoppedError:
            raise
        except LoadproofError as error:
            return Row(one, self.begun.key, None, str(error))

    def _measured(self, one: Configuration, seconds: float) -> Measured:
        session = self.begun.session
        wanted: dict[str, Any] = {
            "benchmark": session.request.benchmark,
            "backend": asdict(self.begun.backend),
            "model": self.begun.sources.model.path,
            "store": self.dataset.store,
            "streams": one.streams,
            "threads": one.threads,
            "batch": one.batch,
            "seconds": seconds,
        }
        seen = child.call(
            "harness.closed_loop:measure",
            wanted,
            log=session.log,
            stop=session.stop,
            silence_s=session.request.stall_s or child.SILENCE_S,
        )
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
        model, dataset = begun.sources.model, begun.sources.dataset
        return _Opened(begun, prepared(begun.session, begun.backend, model, dataset))
    except StoppedError:
        raise
    except LoadproofError as error:
        return str(error)
