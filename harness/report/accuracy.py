"""What is said of scores below the table: how sure each is, and how far from its target."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from audit.accuracy.interval import CONFIDENCE
from audit.verdicts import AccuracyVerdict, ScenarioVerdict
from harness.report.quantity import interval


def accuracy_lines(scenarios: Sequence[ScenarioVerdict]) -> Iterator[str]:
    """A heading and a line for each score, with all scenarios that have it; nothing without one."""
    same: dict[str, list[str]] = {}
    for scenario in scenarios:
        if scenario.accuracy is not None:
            same.setdefault(_numbers(scenario.accuracy), []).append(scenario.scenario)
    if same:
        yield f"Accuracy, with its {100 * CONFIDENCE:g} % interval and its distance to the target:"
    for numbers, names in same.items():
        yield f"  - {', '.join(names)}: {numbers}"


def _numbers(accuracy: AccuracyVerdict) -> str:
    score = accuracy.score
    reach = interval(score.interval.low, score.interval.high)
    return f"{score.value:.3f} ({reach}), {accuracy.verdict.margin} of {score.result.total}"
