"""Offline against a bare loop over the same session: same batches, same samples, same threads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from datasets.cores import usable_cores
from harness.spec import Batching
from tests.benchmarks import specs
from tests.benchmarks.benchmark import Benchmark, Figure, Pair, Place, Round
from tests.benchmarks.beside import rounds_beside

RATE = "samples/s of the median batch"
INSIDE = "s inside the runtime, of all"


@dataclass(frozen=True)
class Offline:
    """Rounds of one embedded model on one runtime."""

    benchmark: str
    backend: str
    samples: int
    """In the library, and in a run."""
    batch: int

    def rounds(self, place: Place, rounds: int) -> Iterator[Round]:
        batching = Batching(self.batch, streams=1, threads=usable_cores())
        load = specs.load("Offline", self.samples)
        spec = specs.embedded(place, self.benchmark, self.backend, self.samples, batching, load)
        for beside in rounds_beside(spec, place, rounds):
            typical = sorted(beside.batches, key=lambda pair: pair.ratio)[len(beside.batches) // 2]
            loadgen_s = self.samples / float(beside.log.value("result_samples_per_second"))
            yield {
                RATE: Pair(self.batch / typical.ours, self.batch / typical.reference),
                INSIDE: Pair(beside.predict_s, loadgen_s - beside.between_s),
            }


def _benchmark(made: Offline, least: float) -> Benchmark:
    return Benchmark(
        name=f"offline-{made.benchmark}-{made.backend}",
        ours=f"Offline of {made.samples} samples in batches of {made.batch}",
        reference="the bare loop over the same session and batches",
        figures=(
            Figure(RATE, "1/s", least=least),
            Figure(INSIDE, "s", least=least),
        ),
        rounds=made.rounds,
    )


BENCHMARKS = (
    _benchmark(Offline("resnet50", "onnxruntime", 96, 4), least=0.98),
    _benchmark(Offline("bert", "onnxruntime", 96, 4), least=0.98),
    _benchmark(Offline("resnet50", "tensorflow", 96, 4), least=0.97),
    _benchmark(Offline("bert", "tensorflow", 96, 4), least=0.97),
)
