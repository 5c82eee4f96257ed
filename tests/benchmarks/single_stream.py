"""SingleStream's latency against that of the bare call.

They take turns of eight queries. With turns of one, our code would be found in no cache after two
calls of the model, which no run ever sees: between two queries there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median

from datasets.cores import usable_cores
from harness.spec import Batching, RunSpec
from tests.benchmarks import specs
from tests.benchmarks.benchmark import Benchmark, Figure, Pair, Place, Round
from tests.benchmarks.beside import rounds_beside

LATENCY = "median latency"
ONE = 1
TURN = 8
MEDIAN_KEY = "result_50.00_percentile_latency_ns"


@dataclass(frozen=True)
class SingleStream:
    """Rounds of one system, asked one sample at a time."""

    spec: Callable[[Place], RunSpec]
    per_unit_s: float

    def rounds(self, place: Place, rounds: int) -> Iterator[Round]:
        for beside in rounds_beside(self.spec(place), place, rounds, TURN):
            ours_s = float(beside.log.value(MEDIAN_KEY)) / 1e9
            pair = Pair(ours_s / self.per_unit_s, median(beside.bare_s) / self.per_unit_s)
            yield {LATENCY: pair}


def _embedded(benchmark: str) -> Callable[[Place], RunSpec]:
    batching = Batching(ONE, streams=1, threads=usable_cores())
    load = specs.load("SingleStream", 8 * TURN)
    return lambda place: specs.embedded(place, benchmark, "onnxruntime", 64, batching, load)


def _simulated(place: Place) -> RunSpec:
    load = specs.load("SingleStream", 2000)
    return specs.simulated(place, {"base_ms": 1, "per_sample_ms": 0}, Batching(ONE, 1, 1), load)


def _benchmark(name: str, spec: Callable[[Place], RunSpec], figure: Figure) -> Benchmark:
    per_unit_s = {"ms": 1e-3, "µs": 1e-6}[figure.unit]
    return Benchmark(
        name=f"single-stream-{name}",
        ours="LoadGen's median latency in SingleStream",
        reference="the bare call on the same session and samples",
        figures=(figure,),
        rounds=SingleStream(spec, per_unit_s).rounds,
    )


BENCHMARKS = (
    _benchmark("1ms", _simulated, Figure(LATENCY, "µs", most=40, excess=True)),
    _benchmark("resnet50", _embedded("resnet50"), Figure(LATENCY, "ms", most=1.01)),
    _benchmark("bert", _embedded("bert"), Figure(LATENCY, "ms", most=1.01)),
)
