"""Comparing results, scenario by scenario: how much they differ, and whether that means anything.

What was not measured alike is not compared, and every reason is said. The repeats of one result are
of one session: how far sessions lie apart they can't tell, so few of them are not called a
difference at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from audit.comparison.alike import reasons_against
from audit.comparison.changes import Changed, differences, system_changes
from audit.comparison.difference import Difference, difference
from audit.result import Measurement, Result

CAVEAT = "repeats of one session don't show how far sessions lie apart"

_FOUND_ONCE = (
    "each rate was found once, {} and {} queries/s, and the repeats only kept it: their spread "
    "does not say how far two searches lie apart"
)

Verdict = Literal["better", "worse", "not significant", "not enough runs", "not comparable"]


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
