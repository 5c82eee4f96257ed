"""A soak: one scenario repeated for a stated time, and whether it keeps its rate over that time.

Time is the axis: a pause between two runs counts as time, not as a step. Across the runs a straight
line is laid through their values, and where these are rates also through their tail latencies:
Server keeps the rate that it is sent and shows in its tail that it slows down. Inside the runs the
change from the first third to the last is taken of every run, and its mean says whether each run
slows down in the same way. The policy's significance is that of all these tests together.

A drift is significant and beyond its limit; stable is only what is known to lie within: every
interval whole. What lies between is undecided. A machine rests in a long pause, so that the runs
before and after it are two soaks, of which the longer is judged.
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
LONG_PAUSE_S = 120.0
"""From here on a pause breaks a soak: a hot machine cools down within minutes, and the start of a
run takes seconds."""

Verdict = Literal["stable", "drift", "undecided", "not enough runs"]


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
    """All judged runs together."""
    longest_pause_s: float
    """Between the end of a run and the beginning of the next, over all runs."""
    runs: int
    """Judged: those of the longest part without a long pause."""
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
    made = sorted(runs, key=lambda run: run.began_s)
    judged = max(_unbroken(made), key=_measured_s, default=[])
    soak = Soak(
        verdict="not enough runs",
        asked_s=asked_s,
        measured_s=_measured_s(judged),
        longest_pause_s=max(_pauses_s(made), default=0.0),
        runs=len(judged),
        needed=policy.min_runs,
        across=_across(judged, [run.value for run in judged], policy.confidence),
        tail=_tail(judged, policy.confidence),
        inside=_inside(judged, policy.confidence),
        findings=(),
    )
    said = (*_broken(where, soak, len(made)), *_short(where, soak))
    if soak.runs < policy.min_runs:
        few = finding("soak.few_runs", where, found=soak.runs, expected=policy.min_runs)
        return replace(soak, findings=(few, *said))
    verdict, found = _verdict(where, soak, policy)
    return replace(soak, verdict=verdict, findings=(*found, *said))


def _verdict(where: str, soak: Soak, policy: Policy) -> tuple[Verdict, tuple[Finding, ...]]:
    tests = _tests(policy, soak)
    drifts = tuple(_drifts(where, soak, tests, policy))
    if drifts:
        return "drift", drifts
    undecided = tuple(_undecided(where, tests, policy))
    return ("undecided" if undecided else "stable"), undecided


def _unbroken(runs: Sequence[SoakRun]) -> Iterator[list[SoakRun]]:
    """The parts of a soak between its long pauses, in order."""
    part = list(runs[:1])
    for run, pause_s in zip(runs[1:], _pauses_s(runs), strict=True):
        if pause_s > LONG_PAUSE_S:
            yield part
            part = []
        part.append(run)
    yield part


def _measured_s(runs: Sequence[SoakRun]) -> float:
    return sum(run.measured_s for run in runs)


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


def _broken(where: str, soak: Soak, made: int) -> Iterator[Finding]:
    if soak.runs < made:
        pause = quantities.span(soak.longest_pause_s)
        yield finding("soak.broken", where, found=pause, runs=soak.runs, of=made)


def _short(where: str, soak: Soak) -> Iterator[Finding]:
    if soak.measured_s < ENOUGH_SHARE * soak.asked_s:
        yield finding(
            "soak.short",
            where,
            found=quantities.span(soak.measured_s),
            expected=quantities.span(soak.asked_s),
        )


@dataclass(frozen=True)
class _Test:
    """One drift of a soak and its limit."""

    rule: str
    of: str
    limit_percent: float
    drift: Drift

    @property
    def within(self) -> bool:
        """Whether the whole interval lies within the limit."""
        interval = self.drift.interval
        return -self.limit_percent <= interval.low and interval.high <= self.limit_percent


def _tests(policy: Policy, soak: Soak) -> list[_Test]:
    across, inside = policy.limits.drift_percent, policy.limits.drift_inside_percent
    known = (
        ("soak.drift", "over time", across, soak.across),
        ("soak.drift_tail", "over time in its tail latency", across, soak.tail),
        ("soak.drift_inside", "inside each run", inside, soak.inside),
    )
    return [_Test(rule, of, limit, drift) for rule, of, limit, drift in known if drift]


def _drifts(where: str, soak: Soak, tests: Sequence[_Test], policy: Policy) -> Iterator[Finding]:
    each = policy.significance / max(1, len(tests))
    for test in tests:
        trend = Trend(test.rule, test.limit_percent, each, policy)
        for found in trend.found(where, test.drift, over=quantities.span(soak.measured_s)):
            yield replace(found, severity=severity_under(policy, "unstable"))


def _undecided(where: str, tests: Sequence[_Test], policy: Policy) -> Iterator[Finding]:
    for test in tests:
        if not test.within:
            yield finding(
                "soak.undecided",
                where,
                of=test.of,
                found=f"{test.drift.percent:+.1f} %",
                expected=f"{test.limit_percent:g} %",
                policy=policy.name,
                confidence=f"{100 * policy.confidence:.4g} %",
                low=f"{test.drift.interval.low:+.1f}",
                high=f"{test.drift.interval.high:+.1f} %",
            )
