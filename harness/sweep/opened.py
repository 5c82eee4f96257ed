"""What a sweep measures with: a backend at one precision, its model found and its samples ready.

Each measurement is made in a child process of its own; one that fails has its cause instead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from audit.rules import load_round
from datasets.cores import usable_cores
from datasets.errors import LoadproofError
from harness.begin import Begun, begin
from harness.benchmarks import benchmark_named
from harness.exits import StoppedError
from harness.host.sensors.sampling import Sampling
from harness.host.sensors.sources import gpu_sources
from harness.planning.survey import prepared
from harness.planning.targets import target_for
from harness.request import Request
from harness.running import child, closed_loop
from harness.running.display import Display, RunWatcher
from harness.running.patience import Patience
from harness.running.supervisor import supervise
from harness.spec import DatasetRef
from harness.stop import StopRequests
from harness.sweep.confirmation import Confirmation
from harness.sweep.grid import Configuration
from harness.sweep.rows import Accuracy, Measured, Row
from harness.sweep.short_run import Subject, confirmation_of, spec_of
from harness.tuning.use import gpu_use

Made = TypeVar("Made")
PATIENCE_S = child.SILENCE_S
"""Without a sign of life, after which a measurement counts as hung."""


@dataclass(frozen=True)
class Opened:
    """A backend at one precision, with its model found and its samples prepared."""

    begun: Begun
    dataset: DatasetRef

    def row(self, one: Configuration, seconds: float) -> Row:
        """``one`` measured, or failed."""
        found = _or_cause(lambda: self._measured(one, seconds))
        if isinstance(found, str):
            return Row(one, self.begun.key, None, found)
        return Row(one, self.begun.key, found)

    def is_current_row(self, row: Row, one: Configuration) -> bool:
        """Whether ``row`` is a measurement of ``one`` with what is open now."""
        same = (row.configuration, row.request) == (one, self.begun.key)
        return same and row.measured is not None

    def is_current_score(self, accuracy: Accuracy, session: str) -> bool:
        """Whether ``accuracy`` is that of what is open now."""
        is_same = (accuracy.session, accuracy.request) == (session, self.begun.key)
        return is_same and accuracy.percent is not None

    def accuracy(self, session: str) -> Accuracy:
        """The score on the whole dataset, or why there is none."""
        begun, request = self.begun, self.begun.job.request
        rules, benchmark = load_round(request.round), benchmark_named(request.benchmark)
        target = target_for(benchmark, begun.sources.model, self.dataset, rules)
        asked: dict[str, Any] = {"dataset": asdict(self.dataset), "threads": usable_cores()}
        asked |= {"target": target.document()}
        found = _or_cause(lambda: self._call("scoring", "scoring:score", asked))
        if isinstance(found, str):
            return Accuracy(session, begun.key, None, target.value, False, found)
        return Accuracy(session, begun.key, found["percent"], target.value, found["passed"])

    def confirmation(self, asked: Confirmation, seconds: float, folder: Path) -> Confirmation:
        """``asked`` with what a short LoadGen run in ``folder`` showed, or why there is none."""
        job = self.begun.job
        spec = spec_of(asked, self._subject(), seconds)
        watch = RunWatcher(job.display)
        patience = Patience.of(job.request.stall_s, PATIENCE_S)
        watch.begin(f"Confirming {asked.scenario}: {asked.configuration}", seconds)

        def run() -> Confirmation:
            result = supervise(spec, folder, job.stop, patience, watch)
            return confirmation_of(asked, spec, result)

        found = _or_cause(run)
        return replace(asked, cause=found) if isinstance(found, str) else found

    def _subject(self) -> Subject:
        request, model = self.begun.job.request, self.begun.sources.model
        rules = load_round(request.round)
        return Subject(request.benchmark, rules, self.begun.backend, model, self.dataset)

    def _call(
        self,
        doing: str,
        chore: str,
        asked: dict[str, Any],
        heard: Callable[[int], None] = lambda _: None,
    ) -> Any:
        backend, model = self.begun.backend, self.begun.sources.model
        errands = self.begun.job.errands
        return errands.ask(
            f"harness.running.{chore}",
            errands.opening(backend, model.path) | asked,
            f"{doing} {backend.name}/{backend.device}",
            heard=heard,
        )

    def _measured(self, one: Configuration, seconds: float) -> Measured:
        shape = {"streams": one.streams, "threads": one.threads, "batch": one.batch}
        asked = {"store": self.dataset.store, "seconds": seconds, **shape}
        backend = self.begun.backend
        with Sampling(gpu_sources(backend.device, backend.devices)) as sampling:
            follow = partial(_follow, sampling)
            seen = self._call("measuring", "closed_loop:measure", asked, follow)
            gpus = gpu_use(sampling.document()["gpus"])
        return Measured(
            samples_per_s=seen["samples"] / seen["wall_s"],
            p50_ms=seen["p50_ms"],
            p90_ms=seen["p90_ms"],
            p99_ms=seen["p99_ms"],
            batches=seen["batches"],
            peak_rss_bytes=seen["peak_rss_bytes"],
            cpu_percent=100 * seen["cpu_s"] / seen["wall_s"] / usable_cores(),
            gpu_percent=None if gpus.busy is None else 100 * gpus.busy,
            gpu_memory_bytes=gpus.memory_bytes,
        )


def _follow(sampling: Sampling, sign: int) -> None:
    sampling.follow(sign == closed_loop.BEGUN)


def opened(request: Request, display: Display, stop: StopRequests) -> Opened | str:
    """What is measured, or why it can't be."""

    def made() -> Opened:
        begun = begin(request, display, stop)
        return Opened(begun, prepared(begun))

    return _or_cause(made)


def _or_cause(make: Callable[[], Made]) -> Made | str:
    """What ``make`` makes, or why it could not; a signal is no such reason."""
    try:
        return make()
    except StoppedError:
        raise
    except LoadproofError as error:
        return str(error)
