"""What each compliance test is: LoadGen's audit.config for it, and the limits of its verdict.

All of it is data (``compliance_tests.json``). A log shows whether a run was the test: the settings
that audit.config overrides stand among its ``effective_*`` keys.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from datasets.errors import UsageError

_FILE = Path(__file__).with_suffix(".json")


@dataclass(frozen=True)
class SpeedRule:
    """How far the score of a test may lie from that of the performance run."""

    of_rate: bool
    """Whether a latency is compared as the rate that it means."""
    both_ways: bool
    """Whether a lower score fails too."""
    limit_percent: float
    short_limit_percent: float
    short_below_ns: Mapping[str, float]
    """By scenario: latencies that vary more because they are so short."""

    def limit(self, scenario: str, reference: float) -> float:
        """The limit in percent where the performance run measured ``reference``."""
        short = reference < self.short_below_ns.get(scenario, 0)
        return self.short_limit_percent if short else self.limit_percent


@dataclass(frozen=True)
class ComplianceTest:
    """One compliance test."""

    name: str
    title: str
    audit_config: Mapping[str, int]
    effective: Mapping[str, Any]
    """LoadGen's ``effective_*`` keys, without that prefix, as a log of the test shows them."""
    compares_answers: bool
    speed: SpeedRule

    def config_text(self) -> str:
        """The text of LoadGen's audit.config, for every model and scenario."""
        return "".join(f"*.*.{key} = {value}\n" for key, value in self.audit_config.items())


def compliance_test(name: str) -> ComplianceTest:
    """The test called ``name`` (``TEST01``); UsageError lists the known ones."""
    tests = _document()["tests"]
    if name not in tests:
        raise UsageError(f"There is no compliance test {name!r}; known are {', '.join(tests)}.")
    entry = tests[name]
    return ComplianceTest(
        name=name,
        title=entry["title"],
        audit_config=entry["audit_config"],
        effective=entry["effective"],
        compares_answers=entry["compares_answers"],
        speed=_speed(entry["speed"]),
    )


def accuracy_tolerance_percent(benchmark: str) -> float:
    """How far scores of differing answers may lie apart; ``benchmark`` by the round's own name."""
    return float(_document()["accuracy_tolerance_percent"][benchmark])


@cache
def _document() -> Mapping[str, Any]:
    document: Mapping[str, Any] = json.loads(_FILE.read_text("utf-8"))
    return document


def _speed(entry: Mapping[str, Any]) -> SpeedRule:
    short = entry["short_latency"] or {"limit_percent": entry["limit_percent"], "below_ns": {}}
    return SpeedRule(
        of_rate=entry["score"] == "rate",
        both_ways=entry["both_ways"],
        limit_percent=entry["limit_percent"],
        short_limit_percent=short["limit_percent"],
        short_below_ns=short["below_ns"],
    )
