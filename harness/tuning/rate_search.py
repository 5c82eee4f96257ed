"""Carrying out a search: each step is one LoadGen run in a child process, told to the planner.

The record is written after every run, so that an interruption costs at most one of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from harness.running.display import RunWatcher
from harness.running.patience import Patience
from harness.running.supervisor import supervise
from harness.spec import rounded
from harness.stop import StopRequests
from harness.tuning.borne_out import borne_out
from harness.tuning.search import Answer, Search, Step
from harness.tuning.search_record import SearchRecord, write_record
from harness.tuning.told import spec_of, told


@dataclass(frozen=True)
class Bench:
    """Where and how the runs of a search are done."""

    record: Path
    """search.json; the folders of the runs lie beside it."""
    probe_ms: int
    stop: StopRequests
    patience: Patience
    watch: RunWatcher

    def folder(self, number: int) -> Path:
        """Of the run with this number, counted from 1."""
        return self.record.parent / f"probe_{number}"


def carry_out(begun: SearchRecord, bench: Bench) -> SearchRecord:
    """The search from where ``begun`` is to its answer; what the folders of its runs don't bear out
    is run again. Errors as :func:`supervise`."""
    record = _believed(begun, bench)
    search = Search(record.goal, record.tells)
    while isinstance(step := search.ask(), Step):
        number = len(search.tells) + 1
        spec = spec_of(step, record.spec, bench.probe_ms, number)
        bench.watch.begin(
            f"[{number}] {step.kind} at {spec.loadgen.target_qps:g} queries/s",
            spec.loadgen.min_duration_ms / 1000,
        )
        result = supervise(spec, bench.folder(number), bench.stop, bench.patience, bench.watch)
        search.tell(told(step, spec, result))
        record = replace(record, tells=tuple(search.tells))
        write_record(record, bench.record)
    record = replace(record, answer=_rounded(step))
    write_record(record, bench.record)
    return record


def _believed(begun: SearchRecord, bench: Bench) -> SearchRecord:
    kept = borne_out(begun, bench.probe_ms, bench.folder)
    if len(kept) == len(begun.tells):
        return begun
    first = len(kept) + 1
    bench.watch.note(
        f"Run {first} of this search is not borne out by {bench.folder(first)}: it is done again, "
        "and so is what followed from it."
    )
    record = replace(begun, tells=tuple(kept), answer=None)
    write_record(record, bench.record)
    return record


def _rounded(answer: Answer) -> Answer:
    return replace(answer, rate_qps=rounded(answer.rate_qps)) if answer.rate_qps else answer
