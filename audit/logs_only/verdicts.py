"""What is concluded of another harness's logs, and by what it was judged."""

from __future__ import annotations

from dataclasses import dataclass

from audit.accuracy.target import Target
from audit.consistency.policy import Policy
from audit.consistency.verdict import Consistency
from audit.findings import Finding, errors
from audit.logs_only.reading import LoggedRun
from audit.requirements import Acceptance, Profile
from audit.rules import DrivenRules, Round
from audit.spread import Spread
from audit.validity import Validity
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
    acceptance: Acceptance | None
    """Where an acceptance profile was asked for."""

    @property
    def accepted(self) -> bool:
        """Whether the numbers hold and reach the profile, if there is one."""
        return self.passed and (self.acceptance is None or self.acceptance.passed)

    @property
    def passed(self) -> bool:
        """Whether nothing speaks against the numbers."""
        return not errors(self.findings)
