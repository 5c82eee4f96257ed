"""From the command to the first query, against what the bare runtime needs to load the model."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.running.environment import child_environment
from harness.running.progress import read_progress
from harness.spec import Batching, RunSpec
from tests.benchmarks import specs
from tests.benchmarks.benchmark import Benchmark, Figure, Pair, Place, Round
from tests.benchmarks.runs import new_folder

START = "first query"
POLL_S = 0.002
_LOADS = {
    "onnxruntime": "import onnxruntime, sys; onnxruntime.InferenceSession(sys.argv[1])",
    "tensorflow": "import tensorflow as tf, sys\n"
    "graph = tf.compat.v1.GraphDef.FromString(open(sys.argv[1], 'rb').read())\n"
    "with tf.Graph().as_default():\n"
    "    tf.import_graph_def(graph, name='')\n"
    "    tf.compat.v1.Session()",
}


@dataclass(frozen=True)
class StartUp:
    """Rounds of both on one embedded model."""

    benchmark: str
    backend: str

    def rounds(self, place: Place, rounds: int) -> Iterator[Round]:
        load = specs.load("SingleStream", 1)
        spec = specs.embedded(
            place, self.benchmark, self.backend, 64, Batching(1, streams=1, threads=1), load
        )
        for _ in range(rounds):
            yield {START: Pair(_first_query_s(spec, place), self._bare_s(spec))}

    def _bare_s(self, spec: RunSpec) -> float:
        began = time.perf_counter()
        command = [sys.executable, "-c", _LOADS[self.backend], str(spec.model.path)]
        subprocess.run(command, check=True, capture_output=True, env=child_environment())
        return time.perf_counter() - began


def _first_query_s(spec: RunSpec, place: Place) -> float:
    """From the start of ``loadproof run`` to the first sample that LoadGen issued."""
    folder = new_folder(place)
    asked = folder.with_suffix(".json")
    asked.write_text(json.dumps(spec.document()))
    command = [sys.executable, "-m", "harness", "run", str(asked), "--folder", str(folder)]
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        while not _issued(folder) and child.poll() is None:
            time.sleep(POLL_S)
        taken_s = time.perf_counter() - began
    if child.returncode not in (os.EX_OK, 1):
        raise RuntimeError(f"loadproof run ended with {child.returncode}")
    return taken_s


def _issued(folder: Path) -> bool:
    seen = read_progress(folder)
    return seen is not None and seen.issued > 0


BENCHMARKS = tuple(
    Benchmark(
        name=f"start-up-{backend}",
        ours=f"from `loadproof run` to the first query, ResNet50 on {backend}",
        reference="a process that only loads the model",
        figures=(Figure(START, "s", most=3, excess=True),),
        rounds=StartUp("resnet50", backend).rounds,
    )
    for backend in ("onnxruntime", "tensorflow")
)
