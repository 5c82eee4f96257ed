"""What must be learned before a plan can be made: the device, the samples, the latency curve.

Everything that touches a runtime happens in child processes (:mod:`harness.running.errands`).
"""

from __future__ import annotations

from dataclasses import dataclass

from audit.rules import Round, load_round
from harness.benchmarks import benchmark_named
from harness.host.description import Host
from harness.planning.inputs import Inputs, Machine
from harness.planning.limits import server_limit
from harness.planning.targets import target_for
from harness.report.live import Display
from harness.request import Request
from harness.running.errands import Errands
from harness.running.system import Description
from harness.running.userconf import Entry
from harness.sources import Sources
from harness.spec import BackendSpec, Batching, DatasetRef
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
    def errands(self) -> Errands:
        """What is asked of child processes, whose log lies beside the evidence."""
        return Errands(self.request, self.request.output / "loadproof.log", self.stop, self.display)


def survey(session: Session, sources: Sources, backend: BackendSpec, name: str, key: str) -> Inputs:
    """Everything that the plan is made of: opens the device, prepares the samples, probes."""
    request = session.request
    rules = load_round(request.round)
    description, dataset = _opened(session, backend, sources)
    threads = _threads(session)
    session.display.step("Probing batch sizes")
    curve = session.errands.time_batches(
        backend,
        sources.model,
        dataset.store,
        threads.threads,
        request.max_batch or description.max_batch,
        per_size_s=min(1.0, session.suite.server_probe_ms / 1000),
    )
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


def prepared(session: Session, backend: BackendSpec, sources: Sources) -> DatasetRef:
    """The dataset with its store, prepared as the model wants it; opens every device."""
    return _opened(session, backend, sources)[1]


def _opened(
    session: Session, backend: BackendSpec, sources: Sources
) -> tuple[Description, DatasetRef]:
    """What was opened, and the dataset prepared for it."""
    session.display.step(f"Opening {backend.name} on {backend.device}")
    seen = session.errands.look(backend, sources.model)
    session.display.step("Preparing the samples")
    return seen, session.errands.prepare(sources.dataset, seen.layout, seen.dtype)


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
