"""An acceptance profile: what a system must reach, and whether it does, line by line.

It says nothing of whether the evidence holds. Evidence that holds gives a result even for a system
that is not accepted, and nothing is accepted on a number that the audit does not let stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audit import schema
from datasets.files import sha256_of

if TYPE_CHECKING:
    from audit.verdicts import ScenarioVerdict


@dataclass(frozen=True)
class Profile:
    """What a file of schema ``requirements`` demands."""

    name: str
    sha256: str
    """Of the file."""
    benchmarks: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Line:
    """One demand, judged."""

    scenario: str | None
    """None where every scenario must meet it."""
    quantity: str
    """As the profile names it; begins with ``min`` or ``max``, ends with the unit."""
    limit: float
    measured: float | None
    """The median of the runs; None where it was not measured."""

    @property
    def margin_percent(self) -> float | None:
        """Of the limit, to spare; negative where it is missed."""
        if self.measured is None:
            return None
        over = 100 * (self.measured / self.limit - 1)
        return over if self.quantity.startswith("min") else -over

    @property
    def passed(self) -> bool:
        if self.measured is None:
            return False
        if self.quantity.startswith("min"):
            return self.measured >= self.limit
        return self.measured <= self.limit


@dataclass(frozen=True)
class Acceptance:
    """All lines of a profile that are about the benchmark measured."""

    profile: Profile
    lines: tuple[Line, ...]
    not_judged: tuple[str, ...]
    """Other benchmarks that the profile is about."""

    @property
    def passed(self) -> bool:
        """Whether there are lines, and all of them pass."""
        return bool(self.lines) and all(line.passed for line in self.lines)

    def document(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "name": self.profile.name,
            "sha256": self.profile.sha256,
            "passed": self.passed,
            "lines": [
                {**asdict(line), "margin_percent": line.margin_percent, "passed": line.passed}
                for line in self.lines
            ],
            "not_judged": list(self.not_judged),
        }


def read_profile(path: Path) -> Profile:
    """The profile in ``path``; EvidenceError names the first thing in it that makes no sense."""
    document = schema.read(path, "requirements")
    return Profile(document["name"], sha256_of(path), document["benchmarks"])


def judge_requirements(
    profile: Profile, benchmark: str, scenarios: Sequence[ScenarioVerdict]
) -> Acceptance:
    """Lay ``profile`` on what was measured of ``benchmark``."""
    demanded = profile.benchmarks.get(benchmark, {})
    others = tuple(name for name in profile.benchmarks if name != benchmark)
    return Acceptance(profile, tuple(_lines(demanded, scenarios)), others)


def _lines(demanded: Mapping[str, Any], scenarios: Sequence[ScenarioVerdict]) -> Iterator[Line]:
    if "min_accuracy" in demanded:
        yield Line(None, "min_accuracy", demanded["min_accuracy"], _least_accuracy(scenarios))
    measured = {verdict.scenario: verdict for verdict in scenarios}
    for scenario, limits in demanded.get("scenarios", {}).items():
        for quantity, limit in limits.items():
            verdict = measured.get(scenario)
            yield Line(scenario, quantity, limit, _MEASURED[quantity](verdict) if verdict else None)


def _least_accuracy(scenarios: Sequence[ScenarioVerdict]) -> float | None:
    scores = [one.accuracy.score.value if one.accuracy else None for one in scenarios]
    known = [score for score in scores if score is not None]
    return min(known) if known and len(known) == len(scores) else None


def _rate(verdict: ScenarioVerdict) -> float | None:
    return verdict.spread.median if verdict.spread else None


def _latency_ms(verdict: ScenarioVerdict) -> float | None:
    """The scenario's metric where that is a latency; of Server, the mean of the runs' tails."""
    if verdict.metric.unit == "ns":
        return verdict.spread.median / 1e6 if verdict.spread else None
    statistics = verdict.consistency.statistics
    return statistics.tail.mean_ns / 1e6 if statistics and statistics.tail else None


def _cv_percent(verdict: ScenarioVerdict) -> float | None:
    return verdict.spread.cv_percent if verdict.spread else None


def _runs(verdict: ScenarioVerdict) -> float:
    return len(verdict.values)


_MEASURED: Mapping[str, Callable[[ScenarioVerdict], float | None]] = {
    "min_samples_per_s": _rate,
    "min_queries_per_s": _rate,
    "max_latency_ms": _latency_ms,
    "max_cv_percent": _cv_percent,
    "min_runs": _runs,
}
