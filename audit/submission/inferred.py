"""The metric of one scenario, made from a log of another where the rules allow that.

Which scenario may stand for which is data (``inferred.json``), as the rules have it. A value that
can't be made, or is no positive number, is None: never a guess.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from audit.logs.loadgen_log import DetailLog
from audit.logs.numbers import positive
from audit.rules import normal_system_type

LOGGED_AS: Mapping[str, str] = {"Interactive": "Server"}
"""Scenarios of a round that LoadGen runs, and logs, under another name."""


@dataclass(frozen=True)
class Inference:
    """How one scenario's metric is made from a log of another."""

    logged: str
    keys: tuple[str, ...]
    """Of the log, that it is made from."""
    how: str
    samples_per_query: int
    """Queries of the log that make one of the scenario."""
    _formula: str

    def value(self, log: DetailLog) -> float | None:
        """The metric, in ns or per second; None where the log can't give it."""
        numbers = [positive(log, key) for key in self.keys]
        known = [number for number in numbers if number is not None]
        if len(known) < len(numbers):
            return None
        return _FORMULAS[self._formula](self.samples_per_query, *known)


def logged_scenario(scenario: str) -> str:
    """What LoadGen logs for a run of ``scenario``."""
    return LOGGED_AS.get(scenario, scenario)


def inference(scenario: str, logged: str, system_type: str) -> Inference | None:
    """How ``scenario`` may be made from a log of ``logged`` on such a system; None where it may
    not."""
    entry = _table().get(scenario, {}).get(logged)
    if entry is None or "edge" not in normal_system_type(system_type).split(","):
        return None
    return Inference(
        logged=logged,
        keys=tuple(entry["keys"]),
        how=entry["how"],
        samples_per_query=entry["samples_per_query"],
        _formula=entry["formula"],
    )


_FORMULAS: Mapping[str, Callable[..., float]] = {
    "one after the other": lambda samples, latency_ns: samples * latency_ns,
    "as logged": lambda _, rate: rate,
    "queries one after the other": lambda _, samples, latency_ns: samples * 1e9 / latency_ns,
}


@cache
def _table() -> Mapping[str, Mapping[str, Any]]:
    file = Path(__file__).with_name("inferred.json")
    scenarios: Mapping[str, Mapping[str, Any]] = json.loads(file.read_text("utf-8"))["scenarios"]
    return scenarios
