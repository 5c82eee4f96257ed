"""The rate at which Server is measured: a guess from the queue, then a search among short runs.

Where the suite says so and the round has Server for such systems, the highest rate is looked for
and confirmed by a run of full length; else any rate that holds will do: what is never submitted is
not worth 12 probes. What is found is frozen in the plan.
"""

from __future__ import annotations

from pathlib import Path

from harness.job import Job
from harness.planning.base_spec import base_spec
from harness.planning.inputs import Inputs
from harness.running.display import RunWatcher
from harness.running.patience import Patience
from harness.running.rundir import Evidence
from harness.spec import USUAL_PERCENTILE, RunSpec, rounded
from harness.tuning.queueing import sustainable_rate
from harness.tuning.rate_search import Bench, carry_out
from harness.tuning.search import KEPT_SHARE, Goal
from harness.tuning.search_record import SearchRecord, read_record

UNCONFIRMED_SHARE = 0.6
"""Of the simulated queue's limit, where nothing is probed."""


def guess(inputs: Inputs) -> float:
    """The queue's limit in queries per second; a single stream's own rate where it has none."""
    machine, spec = inputs.machine, base_spec(inputs, "Server", "performance", None)
    settings, streams = spec.loadgen, spec.batching.streams * machine.devices
    limit = sustainable_rate(
        machine.curve.batch_s,
        (settings.target_latency_ns or machine.server_limit.limit_ns) / 1e9,
        settings.percentile or USUAL_PERCENTILE,
        streams,
        spec.batching.max_batch,
    )
    return limit or 1 / machine.curve.batch_s(1)


def new_search(inputs: Inputs, most_runs: int, *, confirm: bool) -> SearchRecord:
    """A search that begins at the guess, or where a user.conf says."""
    spec = base_spec(inputs, "Server", "performance", rounded(guess(inputs)))
    return SearchRecord(inputs.request, spec, _goal(spec, most_runs, confirm))


def _goal(spec: RunSpec, most_runs: int, confirm: bool) -> Goal:
    settings = spec.loadgen
    return Goal(
        percentile=settings.percentile or USUAL_PERCENTILE,
        start_qps=settings.target_qps or 1.0,
        full_s=settings.min_duration_ms / 1000,
        full_queries=settings.min_query_count,
        most_runs=most_runs,
        confirm=confirm,
    )


def bench_of(job: Job, inputs: Inputs, record: Path) -> Bench:
    """Where the runs of a search are done, and how long they are waited for."""
    return Bench(
        record=record,
        probe_ms=inputs.suite.server_probe_ms,
        stop=job.stop,
        patience=Patience.of(job.request.stall_s, inputs.machine.stall_s),
        watch=RunWatcher(job.display),
    )


def find_rate(inputs: Inputs, bench: Bench) -> float:
    """A rate in queries per second that Server runs of the plan can ask for: the user's own where
    a user.conf gives one. Where no run held, a little less than the lowest that was tried."""
    own = base_spec(inputs, "Server", "performance", None).loadgen.target_qps
    if own is not None:
        return own
    suite = inputs.suite
    if not suite.most_server_probes:
        return rounded(guess(inputs) * UNCONFIRMED_SHARE)
    confirm = suite.confirm_server_rate and _in_round(inputs)
    search = new_search(inputs, suite.most_server_probes, confirm=confirm)
    begun = read_record(bench.record)
    found = carry_out(begun if begun and begun.same_search(search) else search, bench)
    if found.answer and found.answer.rate_qps:
        return found.answer.rate_qps
    return rounded(min(tell.asked_qps for tell in found.tells) * KEPT_SHARE)


def _in_round(inputs: Inputs) -> bool:
    return inputs.rules.benchmark(inputs.benchmark).has_scenario(inputs.system_type, "Server")


def under_way(evidence: Evidence, inputs: Inputs) -> bool:
    """Whether a search for the same request was begun here and no plan was made yet."""
    begun = None if evidence.plan.exists() else read_record(evidence.search(inputs.benchmark))
    return begun is not None and begun.request == inputs.request
