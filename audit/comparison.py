"""Comparing results, scenario by scenario: how much they differ, and whether that means anything.

The difference is that of the logarithms of the repeats (Welch's t test), which is a ratio: it reads
the same for rates and latencies, and from A to B as from B to A. What was not measured alike is not
compared, and every reason is said. The repeats of one result are of one session: how far sessions
lie apart they can't tell, so few of them are not called a difference at all.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from audit.changes import Changed, differences, system_changes
from audit.comparable import reasons_against
from audit.consistency.intervals import Interval
from audit.result import Measurement, Result

CONFIDENCE = 0.95
_LARGEST_CHANGE = 690.0
"""A difference of logarithms beyond which no ratio can be written down."""
METHOD = "Welch's t test of the logarithms of the repeats"
CAVEAT = "repeats of one session don't show how far sessions lie apart"

_FOUND_ONCE = (
    "each rate was found once, {} and {} queries/s, and the repeats only kept it: their spread "
    "does not say how far two searches lie apart"
)

Verdict = Literal["better", "worse", "not significant", "not enough runs", "not comparable"]


@dataclass(frozen=True)
class Difference:
    """From the first to the second, in percent of the first."""

    percent: float
    """Of the geometric means of the repeats."""
    interval: Interval | None
    """None where either has a single run."""
    p: float | None
    """How often noise alone would show as much."""

    @property
    def significant(self) -> bool:
        return self.interval is not None and not self.interval.low <= 0 <= self.interval.high


@dataclass(frozen=True)
class ScenarioComparison:
    """One scenario of two results."""

    scenario: str
    first: Measurement | None
    second: Measurement | None
    why_not: tuple[str, ...]
    difference: Difference | None
    """None where they can't be compared."""
    needed: int
    """Repeats that either must have: the stricter policy's."""
    notes: tuple[str, ...]

    @property
    def verdict(self) -> Verdict:
        """Of the second, measured by the first."""
        if self.difference is None or self.first is None or self.second is None:
            return "not comparable"
        fewest = min(len(self.first.values), len(self.second.values))
        if self.difference.interval is None or fewest < self.needed:
            return "not enough runs"
        if not self.difference.significant:
            return "not significant"
        rose = self.difference.percent > 0
        return "better" if rose == self.first.higher_is_better else "worse"


@dataclass(frozen=True)
class ResultComparison:
    """Two results."""

    first: Result
    second: Result
    scenarios: tuple[ScenarioComparison, ...]
    changes: tuple[Changed, ...]
    """What else differs, and may be the reason: backend, machine, software."""


def compare_all(results: Sequence[Result]) -> tuple[ResultComparison, ...]:
    """Each of ``results`` but the first, compared with the first."""
    return tuple(compare(results[0], other) for other in results[1:])


def compare(first: Result, second: Result) -> ResultComparison:
    """Compare two results in every scenario that either has."""
    measured = chain(first.measurements, second.measurements)
    scenarios = dict.fromkeys(one.scenario for one in measured)
    return ResultComparison(
        first,
        second,
        tuple(_scenario(first, second, name) for name in scenarios),
        changes_between(first, second),
    )


def changes_between(first: Result, second: Result) -> tuple[Changed, ...]:
    """What differs in how and on what two results were measured."""
    backends = [result.document["runs"][0]["backend"] for result in (first, second)]
    batching = [result.document["runs"][0]["batching"] for result in (first, second)]
    return (
        *differences("backend", *backends),
        *differences("batching", *batching),
        *system_changes(first.document["system"], second.document["system"]),
    )


def _scenario(first: Result, second: Result, name: str) -> ScenarioComparison:
    one, other = first.measurement(name), second.measurement(name)
    why_not = reasons_against(first, second, name)
    needed = max(result.document["policy"]["min_runs"] for result in (first, second))
    if why_not or one is None or other is None:
        return ScenarioComparison(name, one, other, why_not, None, needed, ())
    found = difference(one.values, other.values)
    rates = [measured.settings.get("target_qps") for measured in (one, other)]
    if name != "Server" or rates[0] == rates[1]:
        return ScenarioComparison(name, one, other, (), found, needed, ())
    single = Difference(found.percent, None, None)
    return ScenarioComparison(name, one, other, (), single, needed, (_FOUND_ONCE.format(*rates),))


def difference(first: Sequence[float], second: Sequence[float]) -> Difference:
    """The ratio of two series of positive values, as a change in percent, with its interval.

    Source: B. L. Welch, Biometrika 34 (1947), with the degrees of freedom of Satterthwaite.
    """
    from scipy.special import stdtr, stdtrit

    logs = [[math.log(value) for value in values] for values in (first, second)]
    change = statistics.fmean(logs[1]) - statistics.fmean(logs[0])
    if min(map(len, logs)) < 2:
        return Difference(_percent(change), None, None)
    shares = [statistics.variance(values) / len(values) for values in logs]
    error = math.sqrt(sum(shares))
    if not error:
        exact = _percent(change)
        return Difference(exact, Interval(exact, exact), 0.0 if change else 1.0)
    free = sum(shares) ** 2 / sum(
        share**2 / (len(values) - 1) for share, values in zip(shares, logs, strict=True)
    )
    reach = float(stdtrit(free, (1 + CONFIDENCE) / 2)) * error
    interval = Interval(_percent(change - reach), _percent(change + reach))
    return Difference(_percent(change), interval, 2 * float(stdtr(free, -abs(change / error))))


def _percent(change: float) -> float:
    """Of a difference of logarithms."""
    return 100 * math.expm1(min(change, _LARGEST_CHANGE))
