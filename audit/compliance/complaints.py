"""What a test's own log says against it, each with its numbers."""

from __future__ import annotations

from collections.abc import Iterator

from audit import quantities
from audit.compliance.speed import SpeedComparison
from audit.compliance_tests import ComplianceTest
from audit.findings import Finding, finding
from audit.logs.loadgen_log import DetailLog

MOST_SAMPLES = 10
"""Samples that are named one by one."""


def of_settings(test: ComplianceTest, log: DetailLog) -> Iterator[Finding]:
    """An error for each setting by which the log shows that the run was not the test."""
    for key, expected in test.effective.items():
        found = log.value(f"effective_{key}")
        if found != expected:
            yield finding(
                "compliance.other_run",
                log.place(f"effective_{key}"),
                found="nothing" if found is None else quantities.logged(found),
                expected=quantities.logged(expected),
                key=f"effective_{key}",
                test=test.name,
            )


def of_speed(test: ComplianceTest, where: str, speed: SpeedComparison | None) -> Iterator[Finding]:
    """A score outside the limit, measured by the run ``where``."""
    if speed is None or speed.passed:
        return
    limit = f"{speed.limit_percent:g} %"
    yield finding(
        "compliance.speed",
        where,
        found=f"{speed.test:.6g} {speed.unit}",
        expected=f"{speed.reference:.6g} {speed.unit}",
        difference=f"{speed.difference_percent:+.2f} %",
        limit=f"±{limit}" if speed.both_ways else f"at most +{limit}",
        test=test.name,
    )


def first_few(samples: tuple[int, ...]) -> str:
    """The first samples, and how many more there are."""
    shown = ", ".join(map(str, samples[:MOST_SAMPLES]))
    more = len(samples) - MOST_SAMPLES
    return f"{shown} and {more} more" if more > 0 else shown
