"""Looking for the highest Server rate that is VALID: what to run next, from what was seen.

A planner without a clock: :meth:`Search.ask` says what to run or what was found, and
:meth:`Search.tell` takes what a run showed. Its whole state is the list of what it was told, which
is its checkpoint. Short probes narrow down where the share of late queries crosses what a run of
full length may have; a run of full length, a little below, confirms. A rate is only ever found by a
run that was VALID and the last of all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from audit.runs.early_stopping import late_allowed
from harness.tuning.crossing import Seen, believe

Kind = Literal["probe", "long probe", "confirm"]

CLOSE = 0.15
"""Spread of the crossing below which probes are long ones; where it stays larger, only a rate that
some probe held is confirmed, where any was."""
CERTAIN = 0.006
"""Spread of the crossing at which it is confirmed, with probes to spare."""
KEPT_FOR_CONFIRMING = 3
"""Of all runs, in case that a confirming one is INVALID."""
MARGIN_SPREADS, LEAST_MARGIN, MOST_MARGIN = 1.5, 0.015, 0.02
"""How far below the crossing it is confirmed, in spreads, and the bounds of that."""
STEP_DOWN = 0.99
"""A rate that was INVALID at full length is at least this much too high: more, the more late it
was."""
FIRST_SHARE = 0.8
"""Of the start, where any rate that holds will do: real batches vary, simulated ones don't."""
NEXT_SHARE = 0.8
KEPT_SHARE = 0.85
"""Of a rate that only a short run held: a longer one meets worse moments."""
MOST_FAILURES = 2
"""Runs in a row without a verdict, after which there is no point in another."""


@dataclass(frozen=True)
class Goal:
    """What is looked for, and with how much effort."""

    percentile: float
    start_qps: float
    """A guess, from the queue or from Offline."""
    full_s: float
    full_queries: int
    """At least so long is a run of full length, and at least so many queries."""
    most_runs: int
    """Before the last confirming one."""
    confirm: bool
    """Find the highest rate and confirm it; otherwise any rate that a short run holds will do."""

    def allowed(self, rate_qps: float) -> float:
        """The share of late queries with which a run of full length at this rate just passes."""
        queries = max(self.full_queries, round(rate_qps * self.full_s))
        return max(late_allowed(self.percentile, queries) or 0, 0.5) / queries


@dataclass(frozen=True)
class Step:
    """A run to do."""

    kind: Kind
    rate_qps: float


@dataclass(frozen=True)
class Tell:
    """What a run showed. Counts are 0 where it failed."""

    kind: Kind
    asked_qps: float
    sent_qps: float
    """Really sent: a short schedule is denser or thinner than its rate says."""
    queries: int
    late: int
    valid: bool
    cause: str = ""
    """Why it failed; empty where it ended by itself."""


@dataclass(frozen=True)
class Answer:
    """The end of a search: the rate, or why there is none."""

    rate_qps: float | None
    reason: str = ""


class Search:
    """One search, resumed by what it was told before."""

    def __init__(self, goal: Goal, tells: Iterable[Tell] = ()) -> None:
        self.goal = goal
        self.tells = list(tells)

    def tell(self, tell: Tell) -> None:
        """Take what the run that was asked for showed."""
        self.tells.append(tell)

    def ask(self) -> Step | Answer:
        """The next run, or the answer. Depends on the goal and the tells alone."""
        last = self.tells[-MOST_FAILURES:]
        if len(last) == MOST_FAILURES and all(tell.cause for tell in last):
            return Answer(None, f"{MOST_FAILURES} runs in a row failed: {last[-1].cause}")
        return self._highest() if self.goal.confirm else self._any_that_holds()

    def _highest(self) -> Step | Answer:
        last = self.tells[-1] if self.tells else None
        if last and last.kind == "confirm" and last.valid:
            return Answer(last.asked_qps)
        if len(self.tells) > self.goal.most_runs:
            return Answer(None, self._why_none())
        seen = self._seen()
        belief = believe(self.goal.start_qps, seen)
        refuted = [
            run for tell, run in zip(self.tells, seen, strict=True) if tell.kind == "confirm"
        ]
        probes_left = self.goal.most_runs - KEPT_FOR_CONFIRMING - len(self.tells)
        if not refuted and probes_left > 0 and belief.spread > CERTAIN:
            kind: Kind = "probe" if belief.spread > CLOSE else "long probe"
            return Step(kind, belief.median_qps)
        margin = min(max(MARGIN_SPREADS * belief.spread, LEAST_MARGIN), MOST_MARGIN)
        below = [self._below(run) for run in refuted]
        held = self._held()[-1:] if belief.spread > CLOSE else []
        return Step("confirm", min([belief.median_qps * (1 - margin), *held, *below]))

    def _below(self, refuted: Seen) -> float:
        """A lower rate, by how late the run was, but none far below one that a probe held."""
        held = [rate for rate in self._held() if rate < refuted.rate_qps]
        by_excess = refuted.rate_qps * refuted.excess_ratio
        return min(refuted.rate_qps * STEP_DOWN, max([by_excess, *held[-1:]]))

    def _held(self) -> list[float]:
        """Rates that probes held, rising."""
        seen = zip(self.tells, self._seen(), strict=True)
        return sorted(tell.asked_qps for tell, run in seen if tell.kind != "confirm" and run.held)

    def _why_none(self) -> str:
        reason = f"no run of full length was VALID within {len(self.tells)} runs"
        held = self._held()
        most = f"the highest rate that a probe held is {held[-1]:g} queries/s" if held else ""
        return f"{reason}; {most or 'no probe held its rate either'}"

    def _any_that_holds(self) -> Step | Answer:
        if not self.tells:
            return Step("probe", self.goal.start_qps * FIRST_SHARE)
        last = self.tells[-1]
        if last.valid:
            return Answer(last.asked_qps * KEPT_SHARE)
        if len(self.tells) >= self.goal.most_runs:
            return Answer(None, f"none of {len(self.tells)} short runs was VALID")
        return Step("probe", last.asked_qps * NEXT_SHARE)

    def _seen(self) -> list[Seen]:
        """A run that failed is one that was late throughout."""
        return [
            Seen(tell.asked_qps, 1000, 999, self.goal.allowed(tell.asked_qps))
            if tell.cause
            else Seen(tell.sent_qps, tell.queries, tell.late, self.goal.allowed(tell.asked_qps))
            for tell in self.tells
        ]
