"""Whether a sweep's recommendation is borne out by a short run of LoadGen, and by which candidate.

Pure: it says what to run next from what was seen. A candidate that its run does not bear out gives
way to the next one, for a bounded number of times and only while more is predicted of that than was
measured of another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from harness.spec import Scenario
from harness.sweep.grid import Configuration
from harness.sweep.recommend import Recommendation

TOLERANCE = 0.15
"""Of a predicted rate that a run may miss. Server is sent so much less to begin with: what was
predicted for it is an edge, at which every second run is INVALID."""
MOST_TRIES = 3
"""Candidates of one scenario that are run."""

Verdict = Literal["VALID", "INVALID", "FAILED"]


@dataclass(frozen=True)
class Confirmation:
    """What a run showed of a candidate, beside what was predicted of it."""

    scenario: Scenario
    configuration: Configuration
    request: str
    """Key of what it was measured for: request, model, dataset, machine and software."""
    limit_ms: float | None
    """Of Server's latency."""
    predicted_per_s: float
    percentile: float | None
    """Of the latency that the run is VALID for; None in Offline."""
    measured_per_s: float | None
    verdict: Verdict
    cause: str = ""
    """Why it failed."""

    @property
    def borne_out(self) -> bool:
        """Whether the run was VALID and as fast as predicted, but for the tolerance."""
        if self.verdict != "VALID" or self.measured_per_s is None:
            return False
        enough = self.measured_per_s >= (1 - TOLERANCE) * self.predicted_per_s
        return self.scenario == "Server" or enough

    def is_about(self, asked: Confirmation) -> bool:
        """Whether it says what a run of ``asked`` would."""
        return self.verdict != "FAILED" and self._asked == asked._asked

    @property
    def _asked(self) -> tuple[object, ...]:
        what = (self.scenario, self.configuration, self.request)
        return *what, self.limit_ms, self.predicted_per_s


def asked_of(
    scenario: Scenario,
    configuration: Configuration,
    request: str,
    limit_ms: float | None,
    predicted_per_s: float,
) -> Confirmation:
    """What a run is asked for; without its verdict it counts as failed."""
    return Confirmation(
        scenario, configuration, request, limit_ms, predicted_per_s, None, None, "FAILED"
    )


def next_to_run(
    ranked: Sequence[Recommendation], seen: Sequence[Confirmation]
) -> Recommendation | None:
    """The candidate to put to a run; None where one is borne out or no other is worth it."""
    if len(seen) >= MOST_TRIES or any(one.borne_out for one in seen):
        return None
    tried = {one.configuration for one in seen}
    most = max((one.measured_per_s or 0.0 for one in seen if one.verdict == "VALID"), default=0.0)
    left = (one for one in ranked if one.configuration and one.configuration not in tried)
    return next((one for one in left if (one.samples_per_s or 0.0) > most), None)


def decided(ranked: Sequence[Recommendation], seen: Sequence[Confirmation]) -> Recommendation:
    """What to recommend: what was borne out, else the fastest that was VALID, else the first."""
    if not seen:
        return ranked[0]
    best = max(seen, key=_worth)
    chosen = ranked[0]
    if best.verdict == "VALID":
        chosen = next(one for one in ranked if one.configuration == best.configuration)
    return replace(chosen, borne_out=best.borne_out)


def _worth(one: Confirmation) -> tuple[bool, float]:
    return one.borne_out, (one.measured_per_s or 0.0) if one.verdict == "VALID" else 0.0
