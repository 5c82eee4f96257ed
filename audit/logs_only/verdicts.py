"""What is concluded of another harness's logs, and by what it was judged."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean

from audit.accuracy.target import Target
from audit.consistency.policy import Policy
from audit.consistency.repeats import tail_ns
from audit.consistency.verdict import Consistency
from audit.findings import Finding, errors
from audit.logs_only.reading import LoggedRun
from audit.requirements import Acceptance, Measured, Profile
from audit.rules import DrivenRules, Round
from audit.runs.validity import Validity
from audit.spread import Spread
from audit.verdicts import AccuracyVerdict, Number


@dataclass(frozen=True)
class Yardstick:
    """What logs are judged by."""

    benchmark: str
    round: Round
    system_type: str
    scenario: str | None = None
    """What the logs should be of; None takes the first performance run's."""
    policy: Policy | None = None
    """For repeats; None only shows how far they lie apart."""
    profile: Profile | None = None
    """What the system must reach, where anything was demanded."""

    @property
    def rules(self) -> DrivenRules:
        return self.round.benchmark(self.benchmark)

    @property
    def target(self) -> Target:
        """The closed division's."""
        demanded = self.rules.accuracy_target
        return Target(demanded.metric, demanded.value, f"closed division of {self.round.name}")


@dataclass(frozen=True)
class LoggedVerdict:
    """One run."""

    run: LoggedRun
    validity: Validity
    metric: Number | None
    accuracy: AccuracyVerdict | None
    findings: tuple[Finding, ...]

    @property
    def good(self) -> bool:
        """Whether its numbers may be used."""
        return not errors(self.findings)

    @property
    def value(self) -> float | None:
        """Of the metric, where it may be used."""
        return self.metric.value if self.good and self.metric else None


@dataclass(frozen=True)
class LogsAudit:
    """All runs together."""

    yardstick: Yardstick
    scenario: str
    runs: tuple[LoggedVerdict, ...]
    spread: Spread | None
    """Of the good performance runs."""
    consistency: Consistency | None
    findings: tuple[Finding, ...]
    comparable: bool
    why_not: tuple[str, ...]
    acceptance: Acceptance | None = None
    """Where an acceptance profile was asked for."""

    @property
    def measured(self) -> Measured:
        """What an acceptance profile is laid on. KeyError for a scenario that has no metric."""
        logs = [one.run.log for one in self.runs if one.value is not None]
        tails = [tail for log in logs if (tail := tail_ns(log, self.scenario)) is not None]
        scores = [one.accuracy.score.value for one in self.runs if one.accuracy]
        return Measured(
            scenario=self.scenario,
            unit=self.yardstick.rules.metric(self.scenario).unit,
            median=self.spread.median if self.spread else None,
            cv_percent=self.spread.cv_percent if self.spread else None,
            tail_ns=fmean(tails) if tails else None,
            runs=len(logs),
            accuracy=min(scores, default=None),
        )

    @property
    def accepted(self) -> bool:
        """Whether the numbers hold and reach the profile, if there is one."""
        return self.passed and (self.acceptance is None or self.acceptance.passed)

    @property
    def passed(self) -> bool:
        """Whether nothing speaks against the numbers."""
        return not errors(self.findings)
