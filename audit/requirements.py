"""An acceptance profile: what a system must reach, and whether it does, line by line.

It says nothing of whether the evidence holds. Evidence that holds gives a result even for a system
that is not accepted, and nothing is accepted on a number that the audit does not let stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from audit import schema
from datasets.disk.files import sha256_of


@dataclass(frozen=True)
class Profile:
    """What a document of schema ``requirements`` demands."""

    sha256: str
    """Of the file that it was read from."""
    document: Mapping[str, Any]

    @property
    def name(self) -> str:
        return str(self.document["name"])

    @property
    def benchmarks(self) -> Mapping[str, Mapping[str, Any]]:
        found: Mapping[str, Mapping[str, Any]] = self.document["benchmarks"]
        return found


@dataclass(frozen=True)
class Measured:
    """What the good runs of one scenario measured; None where they say nothing of it."""

    scenario: str
    unit: str
    """Of the metric."""
    median: float | None
    """Of the metric over the runs, in ``unit``."""
    cv_percent: float | None
    tail_ns: float | None
    """The mean of the runs' tail latencies."""
    runs: int
    accuracy: float | None
    """Out of 100."""


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
    """What else the profile is about: other benchmarks, or scenarios that nobody meant to run."""

    @property
    def passed(self) -> bool:
        """Whether there are lines, and all of them pass."""
        return bool(self.lines) and all(line.passed for line in self.lines)

    def document(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "name": self.profile.name,
            "sha256": self.profile.sha256,
            "profile": dict(self.profile.document),
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
    return Profile(sha256_of(path), document)


def profile_of(acceptance: Mapping[str, Any] | None) -> Profile | None:
    """The profile that a result's ``requirements`` were judged by; None where there is none."""
    return Profile(acceptance["sha256"], acceptance["profile"]) if acceptance else None


def judge_requirements(
    profile: Profile, benchmark: str, measured: Sequence[Measured], *, only_these: bool = False
) -> Acceptance:
    """Lay ``profile`` on what was ``measured`` of ``benchmark``.

    A scenario that was not measured fails its lines; with ``only_these`` nobody meant to measure
    another, and its lines are not judged.
    """
    demanded = profile.benchmarks.get(benchmark, {})
    limits = demanded.get("scenarios", {})
    left_out = set(limits) - {one.scenario for one in measured} if only_these else set()
    judged = {scenario: limits[scenario] for scenario in limits if scenario not in left_out}
    lines = (*_of_all(demanded, measured), *_of_each(judged, measured))
    others = (name for name in profile.benchmarks if name != benchmark)
    return Acceptance(profile, lines, (*sorted(left_out), *others))


def _of_all(demanded: Mapping[str, Any], measured: Sequence[Measured]) -> Iterator[Line]:
    if "min_accuracy" in demanded:
        yield Line(None, "min_accuracy", demanded["min_accuracy"], _least_accuracy(measured))


def _of_each(
    demanded: Mapping[str, Mapping[str, float]], measured: Sequence[Measured]
) -> Iterator[Line]:
    known = {one.scenario: one for one in measured}
    for scenario, limits in demanded.items():
        for quantity, limit in limits.items():
            found = known.get(scenario)
            yield Line(scenario, quantity, limit, _MEASURED[quantity](found) if found else None)


def _least_accuracy(measured: Sequence[Measured]) -> float | None:
    known = [one.accuracy for one in measured if one.accuracy is not None]
    return min(known) if known and len(known) == len(measured) else None


def _latency_ms(measured: Measured) -> float | None:
    """The scenario's metric where that is a latency; of Server, the mean of the runs' tails."""
    latency_ns = measured.median if measured.unit == "ns" else measured.tail_ns
    return None if latency_ns is None else latency_ns / 1e6


_MEASURED: Mapping[str, Callable[[Measured], float | None]] = {
    "min_samples_per_s": lambda measured: measured.median,
    "min_queries_per_s": lambda measured: measured.median,
    "max_latency_ms": _latency_ms,
    "max_cv_percent": lambda measured: measured.cv_percent,
    "min_runs": lambda measured: measured.runs,
}
