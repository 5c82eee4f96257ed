"""Doing one run of a spec, as every qualification does it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit.logs.loadgen_log import DetailLog, read_detail
from harness.running.patience import Patience
from harness.running.supervisor import supervise
from harness.spec import RunSpec
from harness.stop import StopRequests
from tests.benchmarks.benchmark import Place

_numbers = itertools.count(1)


@dataclass(frozen=True)
class Done:
    """A finished run: its record and LoadGen's log."""

    record: dict[str, Any]
    log: DetailLog

    @property
    def valid(self) -> bool:
        """Whether LoadGen calls it so."""
        return bool(self.log.value("result_validity") == "VALID")

    def number(self, key: str) -> float:
        """A value of LoadGen's log."""
        return float(self.log.value(key))


def run(spec: RunSpec, place: Place) -> Done:
    """Run ``spec``; RuntimeError where it fails."""
    with StopRequests() as stop:
        result = supervise(spec, new_folder(place), stop, Patience())
    if not result.finished:
        raise RuntimeError(f"The benchmark's run failed: {result.record['cause']}")
    return Done(result.record, read_detail(result.folder / "mlperf_log_detail.txt"))


def new_folder(place: Place) -> Path:
    """A folder for the next run."""
    return place.scratch / f"run_{next(_numbers)}"
