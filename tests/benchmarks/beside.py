"""Rounds of a run of ours that takes turns with the runtime's own calls on the same batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audit.logs.loadgen_log import DetailLog, read_detail
from harness.running.rundir import start_run_folder
from harness.spec import RunSpec
from tests.benchmarks.benchmark import Pair, Place
from tests.benchmarks.children import call
from tests.benchmarks.runs import new_folder


@dataclass(frozen=True)
class Beside:
    """One round."""

    log: DetailLog
    batches: Sequence[Pair]
    """Seconds of each batch, ours and bare, after the first."""
    bare_s: Sequence[float]
    """Of each batch."""
    between_s: float
    """What the bare calls, all but the last, held up the run."""
    predict_s: float
    """Inside the backend, of the run itself."""


def rounds_beside(spec: RunSpec, place: Place, rounds: int, turn: int = 1) -> Iterator[Beside]:
    """``rounds`` runs of ``spec``, each in a process of its own; ``turn`` batches at a time."""
    for _ in range(rounds):
        folder = new_folder(place)
        start_run_folder(folder, spec)
        argument = {"folder": str(folder), "turn": turn}
        found = call("tests.benchmarks.beside_bare:compare", argument, place)
        batches = zip(found["ours_s"], found["calls_s"], strict=True)
        yield Beside(
            log=read_detail(folder / "mlperf_log_detail.txt"),
            batches=[Pair(*both) for both in batches][1:],
            bare_s=found["calls_s"],
            between_s=sum(found["blocks_s"][:-1]),
            predict_s=found["predict_s"],
        )
