"""The rate at which Server is measured: a guess from the queue, confirmed by a few short runs.

It looks for a rate that holds, not for the highest one; what is found is frozen in the plan.
"""

from __future__ import annotations

from dataclasses import replace

from audit.early_stopping import min_queries
from audit.loadgen_log import read_detail
from harness.base_spec import base_spec, rounded
from harness.inputs import Inputs
from harness.rundir import Evidence
from harness.spec import RunSpec
from harness.stop import StopRequests
from harness.supervisor import Patience, RunResult, Watcher, supervise
from harness.tuning.queueing import sustainable_rate

FIRST_SHARE = 0.8
"""Of the simulated queue's limit: real batches vary, simulated ones don't."""
STEP = 0.8
KEPT_SHARE = 0.85
"""Of the rate that a probe confirmed: a longer run meets worse moments than a short one."""
UNCONFIRMED_SHARE = 0.6
"""Of the simulated queue's limit, where nothing is probed."""
USUAL_PERCENTILE = 0.99
PROBE_LATE = 1
"""Late queries for which a probe has enough in all to pass early stopping."""


def guess(inputs: Inputs) -> float:
    """The queue's limit in queries per second; a single stream's own rate where it has none."""
    machine, settings = inputs.machine, base_spec(inputs, "Server", "performance", None).loadgen
    streams = machine.batching.streams * machine.devices
    limit = sustainable_rate(
        machine.curve.batch_s,
        (settings.target_latency_ns or machine.server_limit.limit_ns) / 1e9,
        settings.percentile or USUAL_PERCENTILE,
        streams,
        machine.batching.max_batch,
    )
    return limit or 1 / machine.curve.batch_s(1)


def find_rate(
    inputs: Inputs, evidence: Evidence, stop: StopRequests, patience: Patience, watch: Watcher
) -> float:
    """A rate in queries per second that Server runs of the plan can ask for: the user's own where
    a user.conf gives one."""
    own = base_spec(inputs, "Server", "performance", None).loadgen.target_qps
    if own is not None:
        return own
    limit = guess(inputs)
    if not inputs.suite.most_server_probes:
        return rounded(limit * UNCONFIRMED_SHARE)
    rate = limit * FIRST_SHARE
    for number in range(1, inputs.suite.most_server_probes + 1):
        spec = _probe(inputs, rounded(rate))
        result = supervise(spec, evidence.probe(spec, number), stop, patience, watch)
        if _held(result):
            return rounded(rate * KEPT_SHARE)
        rate *= STEP
    return rounded(rate * KEPT_SHARE)


def _probe(inputs: Inputs, rate: float) -> RunSpec:
    spec = base_spec(inputs, "Server", "performance", rate)
    queries = min_queries(spec.loadgen.percentile or USUAL_PERCENTILE, PROBE_LATE)
    return replace(
        spec.at(min_duration_ms=inputs.suite.server_probe_ms, min_query_count=queries),
        notes=("a short run that looks for a rate; not a measurement",),
    )


def _held(result: RunResult) -> bool:
    if not result.finished:
        return False
    log = read_detail(result.folder / "mlperf_log_detail.txt")
    return bool(log.value("result_validity") == "VALID")
