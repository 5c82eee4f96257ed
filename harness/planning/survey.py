"""What must be learned before a plan can be made: the device, the samples, the latency curve.

Everything that touches a runtime happens in child processes (:mod:`harness.running.errands`).
"""

from __future__ import annotations

from audit.rules import Round, load_round
from harness.begin import Begun
from harness.benchmarks import benchmark_named
from harness.job import Job
from harness.planning.inputs import Inputs, Machine
from harness.planning.limits import server_limit
from harness.planning.targets import target_for
from harness.running.curve import LatencyCurve
from harness.running.system import Description
from harness.spec import Batching, DatasetRef
from sut.threads import ThreadBudget, budget


def survey(begun: Begun, name: str) -> Inputs:
    """Everything that the plan called ``name`` is made of: opens the device, prepares the samples,
    probes."""
    job, sources, backend = begun.job, begun.sources, begun.backend
    request = job.request
    rules = load_round(request.round)
    description, dataset = _opened(begun)
    threads = _threads(job)
    job.display.step("Probing batch sizes")
    curve = job.errands.time_batches(
        backend,
        sources.model,
        dataset.store,
        threads.threads,
        request.max_batch or description.max_batch,
        per_size_s=min(1.0, job.suite.server_probe_ms / 1000),
    )
    return Inputs(
        id=name,
        request=begun.key,
        benchmark=request.benchmark,
        suite=job.suite,
        rules=rules,
        system_type=request.system_type,
        backend=backend,
        model=sources.model,
        dataset=dataset,
        target=target_for(benchmark_named(request.benchmark), sources.model, dataset, rules),
        scenarios=request.scenarios,
        machine=_machine(job, rules, description, threads, curve),
        user_conf=job.user_conf,
    )


def prepared(begun: Begun) -> DatasetRef:
    """The dataset with its store, prepared as the model wants it; opens every device."""
    return _opened(begun)[1]


def _opened(begun: Begun) -> tuple[Description, DatasetRef]:
    """What was opened, and the dataset prepared for it."""
    job, sources, backend = begun.job, begun.sources, begun.backend
    job.display.step(f"Opening {backend.name} on {backend.device}")
    seen = job.errands.look(backend, sources.model)
    job.display.step("Preparing the samples")
    return seen, job.errands.prepare(sources.dataset, seen.layout, seen.dtype)


def _threads(job: Job) -> ThreadBudget:
    """The budget of one device: all devices share the usable cores."""
    request = job.request
    cores = max(1, job.host.usable_cores // len(request.devices))
    return budget(request.streams, request.threads, cores)


def _machine(
    job: Job,
    rules: Round,
    description: Description,
    threads: ThreadBudget,
    curve: LatencyCurve,
) -> Machine:
    request = job.request
    benchmark = rules.benchmark(request.benchmark)
    return Machine(
        curve=curve,
        batching=Batching(
            max_batch=request.max_batch or curve.best_size,
            streams=threads.streams,
            threads=threads.threads,
        ),
        server_limit=server_limit(benchmark, curve, job.suite.own_server_limit_multiple),
        device_used=description.device_used,
        facts={**description.facts, "threads": str(threads)},
        devices=len(request.devices),
    )
