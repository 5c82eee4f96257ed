"""Trends: across runs, and from the first to the last part of one run."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from audit.intervals import Interval

PARTS = 12
"""Of a run: enough for a third to have a spread, long enough to hold several batches."""
_THIRD = PARTS // 3


@dataclass(frozen=True)
class Drift:
    """A change, relative to where it is measured from."""

    percent: float
    interval: Interval
    """In percent, at the confidence asked for."""
    p: float
    """How often noise alone would show as much."""


@dataclass(frozen=True)
class Completions:
    """When the samples of a run completed: counts of equal intervals from the first completion."""

    interval_ms: int
    counts: tuple[int, ...]


def drift_across(values: Sequence[float], confidence: float) -> Drift:
    """The change from the first to the last of at least three values at equal distances."""
    return drift_over(range(len(values)), values, confidence)


def drift_over(at: Sequence[float], values: Sequence[float], confidence: float) -> Drift:
    """The change of a straight line over at least three ``values`` from the first place to the
    last, in percent of their mean; least squares, Student's t test of the slope.

    ``at`` has the rising places of the values, at least three of them different.
    """
    count, mean, middle = len(values), statistics.fmean(values), statistics.fmean(at)
    slope, start = statistics.linear_regression(at, values)
    rest = sum((value - start - slope * one) ** 2 for one, value in zip(at, values, strict=True))
    square = sum((one - middle) ** 2 for one in at)
    error = math.sqrt(rest / (count - 2) / square)
    scale = 100 * (at[-1] - at[0]) / mean
    return _drift(slope * scale, error * scale, count - 2, confidence)


def mean_drift(percents: Sequence[float], confidence: float) -> Drift:
    """The mean of at least two drifts, in percent; Student's t test of it against none."""
    count = len(percents)
    error = statistics.stdev(percents) / math.sqrt(count)
    return _drift(statistics.fmean(percents), error, count - 1, confidence)


def drift_inside(completions: Completions, confidence: float) -> Drift | None:
    """The change of the rate from the first to the last third of a run, in percent of the first.

    The last interval is cut by the end of the run and is left out. Each third is four parts, whose
    spread says what is noise (Student's t test). None where the run has too few intervals, or
    nothing completed in its first third.
    """
    counts = completions.counts[:-1]
    size = len(counts) // PARTS
    if not size:
        return None
    parts = [sum(counts[at * size : (at + 1) * size]) for at in range(PARTS)]
    first, last = parts[:_THIRD], parts[-_THIRD:]
    before = statistics.fmean(first)
    if not before:
        return None
    error = math.sqrt((statistics.variance(first) + statistics.variance(last)) / _THIRD)
    change = statistics.fmean(last) - before
    return _drift(100 * change / before, 100 * error / before, 2 * _THIRD - 2, confidence)


def _drift(percent: float, error: float, free: int, confidence: float) -> Drift:
    """From a change and its standard error, both in percent, with ``free`` degrees of freedom."""
    from scipy.special import stdtr, stdtrit

    reach = abs(error) * float(stdtrit(free, (1 + confidence) / 2))
    interval = Interval(percent - reach, percent + reach)
    if not error:
        return Drift(percent, interval, 0.0 if percent else 1.0)
    return Drift(percent, interval, 2 * float(stdtr(free, -abs(percent / error))))
