"""What is said of soaks below the table: a line for each scenario that had one."""

from __future__ import annotations

from collections.abc import Iterator

from audit.consistency.drift import Drift
from audit.consistency.soak import Soak
from audit.quantities import span
from audit.verdicts import Audit


def soak_lines(audit: Audit) -> Iterator[str]:
    """A heading and the verdicts with their numbers; nothing where there was no soak."""
    soaks = [(one.scenario, one.soak) for one in audit.scenarios if one.soak]
    if soaks:
        limits = audit.policy.limits
        across, inside = limits.drift_percent, limits.drift_inside_percent
        yield (
            f"Soak, judged by the {audit.policy.name} policy (drift over time up to {across:g} %, "
            f"inside each run {inside:g} %):"
        )
    for scenario, soak in soaks:
        yield f"  - {scenario}: {soak.verdict}; {_numbers(soak)}"


def _numbers(soak: Soak) -> str:
    asked, measured = span(soak.asked_s), span(soak.measured_s)
    few = f" of {soak.needed} needed" if soak.runs < soak.needed else ""
    parts = [f"{soak.runs} runs{few}, {measured} of {asked}"]
    parts += [f"{_drift(soak.across)} over time"] if soak.across else []
    parts += [f"tail latency {_drift(soak.tail)} over time"] if soak.tail else []
    parts += [f"{_drift(soak.inside)} inside each run"] if soak.inside else []
    return ", ".join([*parts, f"longest pause {span(soak.longest_pause_s)}"])


def _drift(drift: Drift) -> str:
    low, high = drift.interval.low, drift.interval.high
    return f"{drift.percent:+.1f} % ({low:+.1f} to {high:+.1f})"
