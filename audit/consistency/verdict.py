"""Stable, unstable, not comparable, or not enough runs: a policy's limits on the statistics.

Whatever speaks against "stable" is a finding. It is an error where the policy leaves no result with
that verdict, otherwise it only says so: with too few runs in a note, else in a warning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from audit.consistency.drift import Drift
from audit.consistency.policy import Policy, Verdict
from audit.consistency.summary import Repeat, Statistics, summarise
from audit.findings import Finding, Severity, finding


@dataclass(frozen=True)
class Consistency:
    """The verdict on the repeats of one scenario."""

    verdict: Verdict
    needed: int
    """Runs that a verdict needs."""
    statistics: Statistics | None
    """None where no run is good."""
    findings: tuple[Finding, ...]
    """Why, and what more runs would decide."""


def judge_repeats(
    where: str, repeats: Sequence[Repeat], unlike: Sequence[Finding], policy: Policy
) -> Consistency:
    """Judge the good runs of one scenario, in the order they were made.

    ``where`` is how findings name the scenario; ``unlike`` says of which runs it is known that they
    measured something else.
    """
    statistics = summarise(repeats, policy)
    if unlike:
        return _concluded("not comparable", unlike, policy, statistics)
    if statistics is None or statistics.runs < policy.min_runs:
        few = finding("consistency.few_runs", where, found=len(repeats), expected=policy.min_runs)
        return _concluded("not enough runs", [few], policy, statistics)
    against = [*_events(where, statistics, policy), *_spread(where, statistics, policy)]
    verdict: Verdict = "unstable" if against else "stable"
    events = [found for found in against if found.rule != "consistency.spread"]
    open_ = [] if events else list(_undecided(where, statistics, policy))
    concluded = _concluded(verdict, against, policy, statistics)
    return replace(concluded, findings=(*concluded.findings, *open_))


def _concluded(
    verdict: Verdict, findings: Sequence[Finding], policy: Policy, statistics: Statistics | None
) -> Consistency:
    severity = severity_under(policy, verdict)
    graded = tuple(replace(found, severity=severity) for found in findings)
    return Consistency(verdict, policy.min_runs, statistics, graded)


def severity_under(policy: Policy, verdict: Verdict) -> Severity:
    """How grave it is that the verdict is not "stable"."""
    if policy.forbids(verdict):
        return "error"
    return "note" if verdict == "not enough runs" else "warning"


def _events(where: str, statistics: Statistics, policy: Policy) -> Iterator[Finding]:
    """What can be named: a trend, a run that stands apart."""
    limits, significance = policy.limits, policy.significance
    trend = Trend("consistency.drift", limits.drift_percent, significance, policy)
    yield from trend.found(where, statistics.drift)
    for outlier in statistics.outliers:
        if abs(outlier.percent) > limits.outlier_percent:
            yield finding(
                "consistency.outlier",
                outlier.run,
                found=f"{outlier.percent:+.1f} %",
                expected=f"{limits.outlier_percent:g} %",
                policy=policy.name,
            )
    each = significance / max(1, len(statistics.inside))
    trend = Trend("consistency.drift_inside", limits.drift_inside_percent, each, policy)
    for one in statistics.inside:
        yield from trend.found(one.run, one.drift)


@dataclass(frozen=True)
class Trend:
    """A limit on a drift, which must be significant as well as large."""

    rule: str
    limit_percent: float
    significance: float
    policy: Policy

    def found(self, where: str, drift: Drift | None, over: str = "") -> Iterator[Finding]:
        """A finding where ``drift`` is beyond the limit; ``over`` says over how much time."""
        if drift is None or abs(drift.percent) <= self.limit_percent:
            return
        if drift.p < self.significance:
            yield finding(
                self.rule,
                where,
                found=f"{drift.percent:+.1f} %",
                expected=f"{self.limit_percent:g} %",
                policy=self.policy.name,
                confidence=f"{100 * self.policy.confidence:.4g} %",
                low=f"{drift.interval.low:+.1f}",
                high=f"{drift.interval.high:+.1f} %",
                over=over,
            )


def _spread(where: str, statistics: Statistics, policy: Policy) -> Iterator[Finding]:
    cv, limit = statistics.cv_percent, policy.limits.cv_percent
    if cv is not None and cv > limit:
        yield finding(
            "consistency.spread",
            where,
            found=f"{cv:.1f} %",
            expected=f"{limit:g} %",
            runs=statistics.runs,
            policy=policy.name,
        )


def _undecided(where: str, statistics: Statistics, policy: Policy) -> Iterator[Finding]:
    """Where the spread may as well lie on the other side of its limit."""
    limit = policy.limits.cv_percent
    if statistics.cv is None or not statistics.cv.holds(limit):
        return
    runs = statistics.runs_to_decide
    yield finding(
        "consistency.undecided",
        where,
        found=f"{statistics.cv.low:.1f} and {statistics.cv.high:.1f} %",
        expected=f"{limit:g} %",
        confidence=f"{100 * policy.confidence:.4g} %",
        runs=f"about {runs} runs in all" if runs else "not even 200 runs",
    )
