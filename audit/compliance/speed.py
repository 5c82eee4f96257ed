"""Whether a compliance test ran about as fast as the performance run."""

from __future__ import annotations

from dataclasses import dataclass

from audit.compliance_tests import SpeedRule
from audit.rules import Metric

_ROUNDING_PERCENT = 1e-9
"""A score at its limit passes, whatever the last bit of a division says."""


@dataclass(frozen=True)
class SpeedComparison:
    """Two scores: the metric, or the rate in queries per second that a latency means."""

    unit: str
    reference: float
    """Of the performance run."""
    test: float
    difference_percent: float
    """Of the test's score, over the performance run's."""
    limit_percent: float
    both_ways: bool

    @property
    def passed(self) -> bool:
        """Whether the difference is within the limit."""
        difference = abs(self.difference_percent) if self.both_ways else self.difference_percent
        return difference <= self.limit_percent + _ROUNDING_PERCENT


def compare_speed(
    rule: SpeedRule, scenario: str, metric: Metric, reference: float, test: float
) -> SpeedComparison:
    """Compare what both runs measured in the unit of ``metric``; both are positive."""
    limit = rule.limit(scenario, reference)
    unit = metric.unit
    if rule.of_rate and not metric.higher_is_better:
        unit, reference, test = "queries/s", 1e9 / reference, 1e9 / test
    return SpeedComparison(
        unit=unit,
        reference=reference,
        test=test,
        difference_percent=100 * (test / reference - 1),
        limit_percent=limit,
        both_ways=rule.both_ways,
    )
