"""What a few repeats say together, before any limit is laid on it."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from audit.consistency.drift import Completions, Drift, drift_across, drift_inside
from audit.consistency.outliers import outliers
from audit.consistency.policy import Policy
from audit.intervals import (
    Interval,
    bootstrap_interval,
    cv_interval,
    mean_interval,
    runs_to_decide,
)
from audit.spread import spread


@dataclass(frozen=True)
class Repeat:
    """One good performance run."""

    name: str
    """Its folder."""
    value: float
    """Of the scenario's metric, greater than 0."""
    tail_ns: float | None = None
    """The latency at the scenario's percentile; None in Offline."""
    completions: Completions | None = None
    """Only where every part of the run had the same work to do."""


@dataclass(frozen=True)
class Tail:
    """The tail latency over the runs, in ns: each run has one, so they are what is resampled."""

    mean_ns: float
    interval: Interval
    runs: int


@dataclass(frozen=True)
class Outlier:
    """A run that stands apart."""

    run: str
    percent: float
    """From the median of all runs."""


@dataclass(frozen=True)
class RunDrift:
    """The change of the rate inside one run."""

    run: str
    drift: Drift


@dataclass(frozen=True)
class Statistics:
    """Of at least one repeat. What too few of them can't say is None or empty."""

    runs: int
    cv_percent: float | None
    cv: Interval | None
    """Of the coefficient of variation, in percent."""
    mean: Interval | None
    """In the unit of the values."""
    tail: Tail | None
    drift: Drift | None
    inside: tuple[RunDrift, ...]
    outliers: tuple[Outlier, ...]
    """Every run that the test finds, however near it is."""
    runs_to_decide: int | None
    """Runs in all that would settle whether the spread is allowed, if it stays as it is."""


def summarise(repeats: Sequence[Repeat], policy: Policy) -> Statistics | None:
    """The statistics of ``repeats``, in the order they were made; None where there are none."""
    values = [repeat.value for repeat in repeats]
    spread_ = spread(values)
    if spread_ is None:
        return None
    cv, count, confidence = spread_.cv_percent, len(values), policy.confidence
    limit = policy.limits.cv_percent
    return Statistics(
        runs=count,
        cv_percent=cv,
        cv=None if cv is None else cv_interval(cv, count, confidence),
        mean=mean_interval(values, confidence) if count > 1 else None,
        tail=_tail(repeats, policy),
        drift=drift_across(values, confidence) if count > 2 else None,
        inside=tuple(_inside(repeats, confidence)),
        outliers=tuple(_outliers(repeats, policy.significance)),
        runs_to_decide=None if cv is None else runs_to_decide(cv, count, limit, confidence),
    )


def _tail(repeats: Sequence[Repeat], policy: Policy) -> Tail | None:
    tails = [repeat.tail_ns for repeat in repeats if repeat.tail_ns is not None]
    if not tails:
        return None
    interval = bootstrap_interval(tails, policy.confidence, policy.resamples, policy.seed)
    return Tail(statistics.fmean(tails), interval, len(tails))


def _inside(repeats: Sequence[Repeat], confidence: float) -> list[RunDrift]:
    found = [
        (repeat.name, drift_inside(repeat.completions, confidence))
        for repeat in repeats
        if repeat.completions
    ]
    return [RunDrift(name, drift) for name, drift in found if drift]


def _outliers(repeats: Sequence[Repeat], significance: float) -> list[Outlier]:
    values = [repeat.value for repeat in repeats]
    median = statistics.median(values)
    return [
        Outlier(repeats[at].name, 100 * (values[at] / median - 1))
        for at in outliers(values, significance)
    ]
