"""Whether the machine was quiet and cool while runs were measured, as their sensors tell.

What disturbs a run takes from its number and adds nothing, so that no result is refused for it; but
who reads the number must know. The limits and their reasons are data (``conditions.json``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from audit.evidence.folder import Run
from audit.findings import Finding, finding
from audit.quantities import ranges

RULES = ("machine.others", "machine.steal", "machine.throttled")


@dataclass(frozen=True)
class Limit:
    """The most that a figure of a run's sensors may be without a word."""

    rule: str
    of: str
    """Member of ``sensors``: ``cpu`` or ``gpus``."""
    figure: str
    most: float
    """Of the mean where the figure has one, else of the figure itself."""
    said: str
    reason: str

    @property
    def text(self) -> str:
        """``10 %``."""
        return f"{self.most:g} %" if self.figure.endswith("_percent") else f"{self.most:g}"


@dataclass(frozen=True)
class _Excess:
    run: Run
    limit: Limit
    value: float
    said: str


@cache
def limits() -> tuple[Limit, ...]:
    """Every limit, in the order of the file."""
    table = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    return tuple(Limit(**entry) for entry in table["limits"])


def most(rule: str) -> float:
    """The limit of a rule that has only one."""
    (limit,) = (limit for limit in limits() if limit.rule == rule)
    return limit.most


def disturbances(runs: Iterable[Run]) -> Iterator[Finding]:
    """At most one warning for each of :data:`RULES`, which names all runs that it is about."""
    measured = [run for run in runs if _was_measured(run)]
    for rule in RULES:
        excesses = [excess for run in measured for excess in _excesses(run, rule)]
        if excesses:
            yield _warning(rule, excesses, len(measured))


def _was_measured(run: Run) -> bool:
    finished = run.record is not None and run.record.outcome == "finished"
    return finished and run.asked.mode == "performance"


def _excesses(run: Run, rule: str) -> Iterator[_Excess]:
    sensors: Mapping[str, Any] = (run.record and run.record.document.get("sensors")) or {}
    for limit in (limit for limit in limits() if limit.rule == rule):
        for member in _members(sensors.get(limit.of, [])):
            figure = member.get(limit.figure, 0)
            value = figure["mean"] if isinstance(figure, Mapping) else figure
            if value > limit.most:
                said = limit.said.format(value=value, device=member.get("device"))
                yield _Excess(run, limit, value, said)


def _members(seen: Any) -> list[Mapping[str, Any]]:
    """The one sensor of the processors, or those of all GPUs."""
    return [seen] if isinstance(seen, Mapping) else seen


def _warning(rule: str, excesses: Sequence[_Excess], of: int) -> Finding:
    worst = max(excesses, key=lambda excess: excess.value)
    disturbed = list({excess.run.name: excess.run for excess in excesses}.values())
    return finding(
        rule,
        worst.run.name,
        found=worst.said,
        expected=worst.limit.text,
        count=len(disturbed),
        of=of,
        runs="; ".join(_named(disturbed)),
    )


def _named(runs: Iterable[Run]) -> Iterator[str]:
    """Runs by scenario and test: ``Offline 1 to 3, 5``."""
    numbers: dict[str, list[int]] = {}
    for run in runs:
        name = " ".join(filter(None, (run.asked.scenario, run.asked.test)))
        numbers.setdefault(name, []).append(run.asked.repeat)
    for name, repeats in numbers.items():
        yield f"{name} {ranges(repeats)}"
