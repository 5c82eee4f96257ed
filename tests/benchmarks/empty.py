"""A system that takes no time, through our streams, against an empty Python callback."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from audit.logs.loadgen_log import read_detail
from harness.running.rundir import start_run_folder
from harness.spec import Batching, LoadGenSettings, RunSpec
from tests.benchmarks import specs
from tests.benchmarks.benchmark import Benchmark, Figure, Pair, Place, Round
from tests.benchmarks.children import call
from tests.benchmarks.runs import Done, new_folder, run

NO_TIME = {"base_ms": 0, "per_sample_ms": 0}
OFFLINE_SAMPLES = 1_000_000
SERVER_QPS = 60_000.0
SERVER_QUERIES = 180_000


@dataclass(frozen=True)
class EmptySystem:
    """Rounds of both on the same load; ``figures`` reads the figures off LoadGen's log."""

    loadgen: LoadGenSettings
    batching: Batching
    figures: Callable[[Done], dict[str, float]]

    def rounds(self, place: Place, rounds: int) -> Iterator[Round]:
        spec = specs.simulated(place, NO_TIME, self.batching, self.loadgen)
        for _ in range(rounds):
            ours, reference = self.figures(run(spec, place)), self.figures(_ceiling(spec, place))
            yield {name: Pair(ours[name], reference[name]) for name in ours}


def _ceiling(spec: RunSpec, place: Place) -> Done:
    folder = new_folder(place)
    start_run_folder(folder, spec)
    call("tests.benchmarks.ceiling:run", {"folder": str(folder)}, place)
    return Done({}, read_detail(folder / "mlperf_log_detail.txt"))


def _offline(done: Done) -> dict[str, float]:
    return {"samples/s": done.number("result_samples_per_second")}


def _server(done: Done) -> dict[str, float]:
    return {
        "queries/s": done.number("result_completed_samples_per_sec"),
        "p99 latency": done.number("result_99.00_percentile_latency_ns") / 1e6,
    }


BENCHMARKS = (
    Benchmark(
        name="empty-offline",
        ours=f"{OFFLINE_SAMPLES:,} samples through the streams to a system that takes no time",
        reference="LoadGen with an empty Python callback",
        figures=(Figure("samples/s", "1/s", least=0.8),),
        rounds=EmptySystem(
            specs.load("Offline", OFFLINE_SAMPLES), Batching(1024, 1, 1), _offline
        ).rounds,
    ),
    Benchmark(
        name="empty-server",
        ours=f"{SERVER_QPS:,.0f} queries a second through the batching stream",
        reference="LoadGen with an empty Python callback at the same rate",
        figures=(
            Figure("queries/s", "1/s", least=0.99),
            Figure("p99 latency", "ms", most=1.0, excess=True),
        ),
        rounds=EmptySystem(
            specs.load(
                "Server",
                SERVER_QUERIES,
                target_qps=SERVER_QPS,
                target_latency_ns=10_000_000,
                percentile=0.99,
            ),
            Batching(1024, 1, 1),
            _server,
        ).rounds,
    ),
)
