"""What is said of repeats below the table: under which policy, and a line for each scenario."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from audit.consistency.agreement import Pair
from audit.consistency.policy import Policy
from audit.consistency.summary import Statistics
from audit.intervals import Interval
from audit.verdicts import Audit, ScenarioVerdict


def consistency_lines(audit: Audit) -> Iterator[str]:
    """The verdict on each scenario's repeats with its intervals, and on the accuracy runs."""
    if not audit.scenarios:
        return
    yield f"Repeats, judged by the {audit.policy.name} policy ({audit.policy.title}):"
    for scenario in audit.scenarios:
        yield f"  - {scenario.scenario}: {_verdict(scenario, audit.policy)}"
    if audit.agreement:
        yield f"  - answers: {_agreement(audit.agreement)}"


def _verdict(scenario: ScenarioVerdict, policy: Policy) -> str:
    consistency = scenario.consistency
    statistics = consistency.statistics
    if statistics is None or statistics.mean is None or statistics.cv is None:
        return f"{consistency.verdict}, {consistency.needed} needed"
    few = consistency.verdict == "not enough runs"
    needed = f" ({statistics.runs} of {consistency.needed})" if few else ""
    return f"{consistency.verdict}{needed}; {_numbers(scenario, statistics, policy)}"


def _numbers(scenario: ScenarioVerdict, statistics: Statistics, policy: Policy) -> str:
    unit, cv, mean = scenario.metric.unit, statistics.cv, statistics.mean
    parts = [f"mean {_range(mean, unit)}"] if mean else []
    if cv:
        limit = policy.limits.cv_percent
        parts.append(f"CV {cv.low:.1f} to {cv.high:.1f} %, limit {limit:g} %")
        enough = scenario.consistency.verdict != "not enough runs"
        if enough and cv.holds(limit) and statistics.runs_to_decide:
            parts.append(f"about {statistics.runs_to_decide} runs to be sure")
    if statistics.tail and unit != "ns":
        parts.append(f"tail latency {_range(statistics.tail.interval, 'ns')}")
    return ", ".join(parts)


def _range(interval: Interval, unit: str) -> str:
    size, shown = (1e6, "ms") if unit == "ns" else (1.0, unit)
    return f"{interval.low / size:.4g} to {interval.high / size:.4g} {shown}"


def _agreement(pairs: Sequence[Pair]) -> str:
    worst = max(pairs, key=lambda pair: pair.differing)
    runs = len({name for pair in pairs for name in (pair.first, pair.second)})
    if not worst.differing:
        return f"{runs} accuracy runs agree on every sample"
    return (
        f"{worst.differing} of {worst.compared} samples differ between {worst.first} and "
        f"{worst.second}, first sample {worst.samples[0]}"
    )
