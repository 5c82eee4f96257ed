"""Where the share of late queries crosses what early stopping allows: a belief, from noisy runs.

Near the limit the share of late queries rises exponentially with the rate, at a steepness that
depends on the system, and late queries come in bursts, so that a short run says less than its count
of queries promises. Neither steepness nor burst size is known: the belief about the crossing is
averaged over plausible values of both, on a grid, by Bayes' rule. It needs no clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, sqrt

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

START_SPREAD = 0.6
"""Standard deviation of the logarithm of the crossing around a start that is only guessed."""
REACH = 2.0
STEP = 0.0025
"""The grid: at least so far from its centre, in steps of this size, in the log of the rate."""
FAR_TOO_LATE = 0.5
"""Share of late queries from which a rate is too high beyond any doubt."""
STEEPNESSES = np.geomspace(2.0, 200.0, 11)
"""Log-odds of being late, by logarithm of the rate."""
USUAL_STEEPNESS, STEEPNESS_SPREAD = 10.0, 0.7
"""3 to 16 with tens of queries a second, 20 to 50 with thousands in large batches."""
STEEP = 30.0
"""Of a line on which a run that was far too late says least of how much too high its rate was."""
BURSTS = (2.0, 8.0, 32.0)
"""How many late queries count as one independent event."""
CLIP = 2.0
"""Log-odds beyond which a share only says that its rate is far below or far above."""
MODEL_VARIANCE = 0.005
"""Of the log-odds, for what a straight line gets wrong."""


@dataclass(frozen=True)
class Seen:
    """What one run showed."""

    rate_qps: float
    queries: int
    late: int
    allowed: float
    """The share of late queries with which a full-length run at this rate just passes."""

    @property
    def late_share(self) -> float:
        return self.late / self.queries

    @property
    def held(self) -> bool:
        """Whether no more queries were late than a full-length run may have."""
        return self.late_share <= self.allowed

    @property
    def excess_ratio(self) -> float:
        """The crossing, as a share of this rate, on a steep line."""
        share = (self.late + 0.5) / (self.queries + 1)
        return exp((_log_odds(self.allowed) - _log_odds(share)) / STEEP)


@dataclass(frozen=True)
class Belief:
    """How likely the crossing lies at each rate; weights add up to 1."""

    log_rates: Floats
    weights: Floats

    @property
    def median_qps(self) -> float:
        at = int(np.searchsorted(np.cumsum(self.weights), 0.5))
        return exp(float(self.log_rates[min(at, len(self.log_rates) - 1)]))

    @property
    def spread(self) -> float:
        """Relative standard deviation of the crossing."""
        mean = float(self.weights @ self.log_rates)
        return sqrt(float(self.weights @ (self.log_rates - mean) ** 2))


def believe(start_qps: float, seen: Sequence[Seen]) -> Belief:
    """The belief about the crossing after ``seen``, from a guess of where it might be."""
    centre = _centre(log(start_qps), seen)
    farthest = max((abs(log(run.rate_qps) - centre) for run in seen), default=0.0)
    reach = max(REACH, farthest + START_SPREAD)
    log_rates = centre + np.arange(-reach, reach, STEP)
    prior = -0.5 * ((log_rates - centre) / START_SPREAD) ** 2
    likelihoods = [
        _steepness_prior(steepness) + _log_likelihood(log_rates, seen, steepness, burst)
        for steepness in STEEPNESSES
        for burst in BURSTS
    ]
    joint = np.array(likelihoods) + prior
    weights = np.exp(joint - joint.max()).sum(axis=0)
    return Belief(log_rates, weights / weights.sum())


def _centre(start: float, seen: Sequence[Seen]) -> float:
    """Where the crossing is expected, in the logarithm of the rate: at the start, until a run far
    below it was still far too late, or one far above it held; then between what held and what was
    too late, or beyond all that was tried, by a long stride and then longer ones."""
    too_late = [log(run.rate_qps) for run in seen if run.late_share > FAR_TOO_LATE]
    held = [log(run.rate_qps) for run in seen if run.held]
    missed = [rate for rate in too_late if rate < start - START_SPREAD]
    passed = [rate for rate in held if rate > start + START_SPREAD]
    if not missed and not passed:
        return start
    if held and too_late:
        return (max(held) + min(too_late)) / 2
    stride = START_SPREAD * (2 if len(missed or passed) == 1 else 4)
    return min(missed) - stride if missed else max(passed) + stride


def _steepness_prior(steepness: float) -> float:
    return -0.5 * (log(steepness / USUAL_STEEPNESS) / STEEPNESS_SPREAD) ** 2


def _log_likelihood(
    log_rates: Floats, seen: Sequence[Seen], steepness: float, burst: float
) -> Floats:
    """Of all that was seen, for every crossing on the grid, [grid].

    A saddle-point density: bursts are few and skewed, so that most runs show a smaller share than
    the mean, and to fit logarithms of shares would find the crossing too high.
    """
    total = np.zeros_like(log_rates)
    for run in seen:
        even = _log_odds(run.allowed)
        expected = steepness * (log(run.rate_qps) - log_rates)
        share = _share(even + np.clip(expected, -CLIP, CLIP))
        found = np.clip(run.late_share, _share(even - CLIP), _share(even + CLIP))
        dispersion = burst + MODEL_VARIANCE * share * run.queries
        total -= 0.5 * (run.queries * _deviance(found, share) / dispersion + np.log(dispersion))
    return total


def _deviance(found: Floats, share: Floats) -> Floats:
    """Of one query: twice how much likelier ``found`` makes what was found than ``share`` does."""
    return 2 * (found * np.log(found / share) + (1 - found) * np.log((1 - found) / (1 - share)))


def _share(log_odds: Floats | float) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.asarray(log_odds))))


def _log_odds(share: float) -> float:
    return log(share / (1 - share))
