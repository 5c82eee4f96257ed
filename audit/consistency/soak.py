"""A soak: one scenario repeated for a stated time, and whether it keeps its rate over that time.

Time is the axis: a pause between two runs counts as time, not as a step. Across the runs a straight
line is laid through their values, and where these are rates also through their tail latencies:
Server keeps the rate that it is sent and shows in its tail that it slows down. Inside the runs the
change from the first third to the last is taken of every run, and its mean says whether each run
slows down in the same way. The policy's significance is that of all these tests together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from audit import quantities
from audit.consistency.drift import Completions, Drift, drift_inside, drift_over, mean_drift
from audit.consistency.policy import Policy
from audit.consistency.verdict import Trend, severity_under
from audit.findings import Finding, finding

ENOUGH_SHARE = 0.9
"""Of the time asked for. Runs end when LoadGen has done its work, not to the second."""

Verdict = Literal["stable", "drift", "not enough runs"]


@dataclass(frozen=True)
class SoakRun:
    """One good run of a soak."""

    value: float
    """Of the scenario's metric, greater than 0."""
    began_s: float
    """On the clock of the machine; only differences count."""
    ended_s: float
    measured_s: float
    """For how long LoadGen measured."""
    completions: Completions | None = None
    tail_ns: float | None = None
    """The tail latency beside a value that is a rate; None where there is none."""

    @property
    def middle_s(self) -> float:
        return (self.began_s + self.ended_s) / 2


@dataclass(frozen=True)
class Soak:
    """The verdict on one scenario's soak."""

    verdict: Verdict
    asked_s: float
    measured_s: float
    """All runs together."""
    longest_pause_s: float
    """Between the end of a run and the beginning of the next."""
    runs: int
    needed: int
    """Runs that a verdict needs."""
    across: Drift | None
    """From the middle of the first run to that of the last."""
    tail: Drift | None
    """The same of the tail latency beside a rate."""
    inside: Drift | None
    """The mean over the runs; None where their parts had different work to do."""
    findings: tuple[Finding, ...]


def judge_soak(where: str, runs: Sequence[SoakRun], asked_s: float, policy: Policy) -> Soak:
    """Judge the good ``runs`` of a soak that was to last ``asked_s`` seconds."""
    runs = sorted(runs, key=lambda run: run.began_s)
    soak = Soak(
        verdict="not enough runs",
        asked_s=asked_s,
        measured_s=sum(run.measured_s for run in runs),
        longest_pause_s=max(_pauses_s(runs), default=0.0),
        runs=len(runs),
        needed=policy.min_runs,
        across=_across(runs, [run.value for run in runs], policy.confidence),
        tail=_tail(runs, policy.confidence),
        inside=_inside(runs, policy.confidence),
        findings=(),
    )
    short = tuple(_short(where, soak))
    if soak.runs < policy.min_runs:
        few = finding("soak.few_runs", where, found=soak.runs, expected=policy.min_runs)
        return replace(soak, findings=(few, *short))
    drifts = tuple(_drifts(where, soak, policy))
    return replace(soak, verdict="drift" if drifts else "stable", findings=(*drifts, *short))


def _pauses_s(runs: Sequence[SoakRun]) -> Iterator[float]:
    return (max(0.0, after.began_s - before.ended_s) for before, after in pairwise(runs))


def _tail(runs: Sequence[SoakRun], confidence: float) -> Drift | None:
    tails = [run.tail_ns for run in runs if run.tail_ns]
    return _across(runs, tails, confidence) if len(tails) == len(runs) else None


def _across(runs: Sequence[SoakRun], values: Sequence[float], confidence: float) -> Drift | None:
    middles = [run.middle_s - runs[0].middle_s for run in runs]
    if len(set(middles)) < 3:
        return None
    return drift_over(middles, values, confidence)


def _inside(runs: Sequence[SoakRun], confidence: float) -> Drift | None:
    each = [drift_inside(run.completions, confidence) for run in runs if run.completions]
    percents = [drift.percent for drift in each if drift]
    return mean_drift(percents, confidence) if len(percents) > 1 else None


def _short(where: str, soak: Soak) -> Iterator[Finding]:
    if soak.measured_s < ENOUGH_SHARE * soak.asked_s:
        yield finding(
            "soak.short",
            where,
            found=quantities.span(soak.measured_s),
            expected=quantities.span(soak.asked_s),
        )


def _drifts(where: str, soak: Soak, policy: Policy) -> Iterator[Finding]:
    limits = policy.limits
    tests = (
        ("soak.drift", limits.drift_percent, soak.across),
        ("soak.drift_tail", limits.drift_percent, soak.tail),
        ("soak.drift_inside", limits.drift_inside_percent, soak.inside),
    )
    each = policy.significance / max(1, sum(drift is not None for _, _, drift in tests))
    for rule, limit, drift in tests:
        trend = Trend(rule, limit, each, policy)
        for found in trend.found(where, drift, over=quantities.span(soak.measured_s)):
            yield replace(found, severity=severity_under(policy, "unstable"))
