"""What must be learned before a plan can be made: the device, the samples, the latency curve.

Everything that touches a runtime happens in child processes (:mod:`harness.running.chores`).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from audit.rules import Round, load_round
from harness.benchmarks import benchmark_named
from harness.host.description import Host
from harness.planning.inputs import Inputs, Machine
from harness.planning.limits import server_limit
from harness.planning.targets import target_for
from harness.report.live import Display
from harness.request import Request
from harness.running import child
from harness.running.system import Description
from harness.running.userconf import Entry
from harness.sources import Sources
from harness.spec import BackendSpec, Batching, DatasetRef, ModelRef
from harness.stop import StopRequests
from harness.suites import Suite
from harness.tuning.curve import LatencyCurve
from sut.threads import ThreadBudget, budget


@dataclass(frozen=True)
class Session:
    """What every step of one qualification needs."""

    request: Request
    suite: Suite
    host: Host
    display: Display
    stop: StopRequests
    user_conf: tuple[Entry, ...] = ()

    @property
    def log(self) -> Path:
        return self.request.output / "loadproof.log"


def survey(session: Session, sources: Sources, backend: BackendSpec, name: str, key: str) -> Inputs:
    """Everything that the plan is made of: opens the device, prepares the samples, probes."""
    request = session.request
    rules = load_round(request.round)
    asked = _Chores(session, backend, sources.model)
    description = asked.look()
    dataset = asked.prepare(sources.dataset, description)
    threads = _threads(session)
    curve = asked.probe(dataset, threads, description)
    return Inputs(
        id=name,
        request=key,
        benchmark=request.benchmark,
        suite=session.suite,
        rules=rules,
        system_type=request.system_type,
        backend=backend,
        model=sources.model,
        dataset=dataset,
        target=target_for(benchmark_named(request.benchmark), sources.model, dataset, rules),
        scenarios=request.scenarios,
        machine=_machine(session, rules, description, threads, curve),
        user_conf=session.user_conf,
    )


def prepared(
    session: Session, backend: BackendSpec, model: ModelRef, dataset: DatasetRef
) -> DatasetRef:
    """``dataset`` with its store, prepared as ``model`` wants it; opens every device."""
    asked = _Chores(session, backend, model)
    return asked.prepare(dataset, asked.look())


def _threads(session: Session) -> ThreadBudget:
    """The budget of one device: all devices share the usable cores."""
    request = session.request
    cores = max(1, session.host.usable_cores // len(request.devices))
    return budget(request.streams, request.threads, cores)


def _machine(
    session: Session,
    rules: Round,
    description: Description,
    threads: ThreadBudget,
    curve: LatencyCurve,
) -> Machine:
    request = session.request
    benchmark = rules.benchmark(request.benchmark)
    return Machine(
        curve=curve,
        batching=Batching(
            max_batch=request.max_batch or curve.best_size,
            streams=threads.streams,
            threads=threads.threads,
        ),
        server_limit=server_limit(benchmark, curve, session.suite.own_server_limit_multiple),
        device_used=description.device_used,
        facts={**description.facts, "threads": str(threads)},
        devices=len(request.devices),
    )


_DOING = {
    "look": "opening {backend.name}/{backend.device}",
    "prepare": "preparing the samples",
    "time_batches": "probing batch sizes on {backend.name}/{backend.device}",
}
"""What a child process does, in words, by its chore."""


@dataclass(frozen=True)
class _Chores:
    """What is asked of child processes about one backend and model."""

    session: Session
    backend: BackendSpec
    model: ModelRef

    def look(self) -> Description:
        """Open every device; DeviceError where one is not the one asked for."""
        self.session.display.step(f"Opening {self.backend.name} on {self.backend.device}")
        return Description(**self._call("look", {}))

    def prepare(self, dataset: DatasetRef, description: Description) -> DatasetRef:
        """``dataset`` with its store and its number of samples."""
        self.session.display.step("Preparing the samples")
        wanted = {
            "dataset": asdict(dataset),
            "layout": description.layout,
            "dtype": description.dtype,
            "cache": str(self.session.request.cache),
        }
        return replace(dataset, **self._call("prepare", wanted))

    def probe(
        self, dataset: DatasetRef, threads: ThreadBudget, description: Description
    ) -> LatencyCurve:
        """The latency curve of one stream."""
        self.session.display.step("Probing batch sizes")
        wanted = {
            "store": dataset.store,
            "threads": threads.threads,
            "max_batch": self.session.request.max_batch or description.max_batch,
            "per_size_s": min(1.0, self.session.suite.server_probe_ms / 1000),
        }
        measured = self._call("time_batches", wanted)
        return LatencyCurve(tuple(measured["sizes"]), tuple(measured["seconds"]))

    def _call(self, chore: str, wanted: dict[str, Any]) -> Any:
        session = self.session
        asked = {
            "benchmark": session.request.benchmark,
            "backend": asdict(self.backend),
            "model": self.model.path,
        }
        return child.call(
            f"harness.running.chores:{chore}",
            {**asked, **wanted},
            doing=_DOING[chore].format(backend=self.backend),
            log=session.log,
            stop=session.stop,
            progress=self._progress,
            silence_s=session.request.stall_s or child.SILENCE_S,
        )

    def _progress(self, done: int, total: int) -> None:
        if total:
            self.session.display.count(done, total, "samples")
