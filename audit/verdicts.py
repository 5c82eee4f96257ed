"""What an audit concludes. Every number knows the file it stands in and that file's SHA-256."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from audit.findings import Finding, errors
from audit.requirements import Acceptance, Measured

if TYPE_CHECKING:
    from audit.accuracy.target import Verdict
    from audit.accuracy.truth import Score
    from audit.compliance.answers import AnswerComparison
    from audit.compliance.speed import SpeedComparison
    from audit.compliance.tolerance import ScoreComparison
    from audit.consistency.agreement import Pair
    from audit.consistency.policy import Policy
    from audit.consistency.soak import Soak
    from audit.consistency.verdict import Consistency
    from audit.evidence.folder import Evidence, Samples
    from audit.planned.asked import Asked
    from audit.rules import Metric
    from audit.runs.validity import Status
    from audit.spread import Spread


@dataclass(frozen=True)
class Source:
    """A file of the evidence."""

    file: str
    """Relative to the evidence folder."""
    sha256: str


@dataclass(frozen=True)
class Number:
    """A measured value, as LoadGen logged it."""

    value: float
    unit: str
    key: str
    """Of the detail log."""
    source: Source


@dataclass(frozen=True)
class RunVerdict:
    """One run."""

    name: str
    asked: Asked
    outcome: str
    """``finished``, ``failed``, ``aborted`` or ``missing``."""
    cause: str
    loadgen: Status
    error_lines: int
    samples: Samples | None
    device_used: str
    metric: Number | None
    """Only of a performance run, and only where LoadGen reported a usable value."""
    comparable: bool
    why_not: tuple[str, ...]
    sensors: Mapping[str, Any] | None
    """What the machine did meanwhile, as the record has it; None where it tells nothing."""
    findings: tuple[Finding, ...]

    @property
    def good(self) -> bool:
        """Whether its numbers may be used."""
        return self.outcome == "finished" and not errors(self.findings)


@dataclass(frozen=True)
class AccuracyVerdict:
    """The score of a scenario's accuracy run."""

    score: Score
    verdict: Verdict
    source: Source


@dataclass(frozen=True)
class ScenarioVerdict:
    """All runs of one scenario."""

    benchmark: str
    scenario: str
    metric: Metric
    percentile: float | None
    """The share of queries that a latency speaks of, as the log says."""
    in_round: bool
    accuracy: AccuracyVerdict | None
    planned: int
    """Performance runs."""
    values: tuple[Number, ...]
    """Of the good performance runs."""
    spread: Spread | None
    consistency: Consistency
    soak: Soak | None
    """Where one was asked for."""
    comparable: bool
    why_not: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def measured(self) -> Measured:
        """What an acceptance profile is laid on."""
        statistics = self.consistency.statistics
        return Measured(
            scenario=self.scenario,
            unit=self.metric.unit,
            median=self.spread.median if self.spread else None,
            cv_percent=self.spread.cv_percent if self.spread else None,
            tail_ns=statistics.tail.mean_ns if statistics and statistics.tail else None,
            runs=len(self.values),
            accuracy=self.accuracy.score.value if self.accuracy else None,
        )


@dataclass(frozen=True)
class ComplianceVerdict:
    """One compliance test of one scenario. What was compared stands here even without a verdict."""

    test: str
    benchmark: str
    scenario: str
    outcome: Literal["PASS", "FAIL", "NOT JUDGED"]
    why_not_judged: str
    run: str
    """Folder of the test's run; so is the next."""
    reference: str | None
    """The performance run that it is compared with."""
    speed: SpeedComparison | None
    answers: AnswerComparison | None
    scores: ScoreComparison | None
    """Only where answers differ and all of their samples are in the accuracy log."""
    sources: tuple[Source, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Gate:
    """One condition for a result."""

    id: str
    sentence: str
    """What holds where it passes."""
    errors: int
    judged: bool
    """False where there was nothing to judge, which is no reason to pass."""

    @property
    def passed(self) -> bool:
        return self.judged and not self.errors


@dataclass(frozen=True)
class Audit:
    """The judgement of one evidence folder."""

    evidence: Evidence
    runs: tuple[RunVerdict, ...]
    scenarios: tuple[ScenarioVerdict, ...]
    compliance: tuple[ComplianceVerdict, ...]
    policy: Policy
    """By which repeats were judged."""
    agreement: tuple[Pair, ...]
    """Every pair of accuracy runs."""
    gates: tuple[Gate, ...]
    findings: tuple[Finding, ...]
    comparable: bool
    why_not: tuple[str, ...]
    acceptance: Acceptance | None = None
    """Where an acceptance profile was asked for."""
    audited: str = ""
    """When, ISO 8601 in UTC."""
    unwritten: tuple[str, ...] = ()
    """A sentence for each file of the judgement that could not be written, or removed."""

    @property
    def accepted(self) -> bool:
        """Whether every gate passes and every line of the profile, if there is one."""
        return self.passed and (self.acceptance is None or self.acceptance.passed)

    @property
    def passed(self) -> bool:
        """Whether every gate passes, so that there is a result."""
        return all(gate.passed for gate in self.gates)
