"""Server with batching on a simulated device, against what a simulated queue allows.

The device takes 8 ms and 0.25 ms a sample for a batch; 99 % of the queries must be answered within
50 ms. The highest rate is looked for downwards, until LoadGen calls a run VALID.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from harness.running.chores import BATCH_SIZES
from harness.running.curve import curve_from
from harness.spec import Batching, RunSpec
from harness.tuning.batch_limit import best_max_batch
from harness.tuning.queueing import sustainable_rate
from tests.benchmarks import specs
from tests.benchmarks.benchmark import Benchmark, Figure, Pair, Place, Round
from tests.benchmarks.runs import run

BASE_S, PER_SAMPLE_S = 0.008, 0.00025
LIMIT_S = 0.050
PERCENTILE = 0.99
LARGEST = 256
SIMULATED_QUERIES = 100_000
QUERIES = 8000
STEP = 0.02
LOWEST = 0.5
SIMULATION = "the simulated queue"
ONE = "the same without batches"


def batch_s(size: int) -> float:
    """The device's law."""
    return BASE_S + PER_SAMPLE_S * size


def max_batch() -> int:
    """The batch that a plan would choose for such a device."""
    curve = curve_from({size: batch_s(size) for size in BATCH_SIZES if size <= LARGEST})
    return best_max_batch(curve, LIMIT_S, PERCENTILE, 1, LARGEST)


def allowed(most: int) -> float:
    """Queries per second that a simulation of greedy batching up to ``most`` samples sustains."""
    return sustainable_rate(
        batch_s, LIMIT_S, PERCENTILE, streams=1, max_batch=most, queries=SIMULATED_QUERIES
    )


def served(place: Place, limit: float, seed: int) -> float:
    """The highest rate, in steps down from ``limit``, at which a run is VALID; 0 for none."""
    share = 1.0
    while share > LOWEST:
        if run(_spec(place, share * limit, seed), place).valid:
            return share * limit
        share -= STEP
    return 0.0


def _spec(place: Place, rate: float, seed: int) -> RunSpec:
    load = specs.load(
        "Server",
        QUERIES,
        target_qps=round(rate, 1),
        target_latency_ns=round(LIMIT_S * 1e9),
        percentile=PERCENTILE,
    )
    load = replace(load, seeds=replace(load.seeds, schedule_rng_seed=seed))
    device = {"base_ms": BASE_S * 1e3, "per_sample_ms": PER_SAMPLE_S * 1e3}
    return specs.simulated(place, device, Batching(max_batch(), streams=1, threads=1), load)


def rounds(place: Place, number: int) -> Iterator[Round]:
    """Each round has arrivals of its own."""
    limit, limit_of_one = allowed(max_batch()), allowed(1)
    for seed in range(1, number + 1):
        ours = served(place, limit, seed)
        yield {SIMULATION: Pair(ours, limit), ONE: Pair(ours, limit_of_one)}


BENCHMARKS = (
    Benchmark(
        name="server-simulated",
        ours="the highest VALID Server rate through the batching stream",
        reference="a simulated queue with greedy batching, and one without batches",
        figures=(Figure(SIMULATION, "1/s", least=0.9), Figure(ONE, "1/s", least=25)),
        rounds=rounds,
    ),
)
