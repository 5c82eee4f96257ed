"""Compliance tests of the closed division, judged from numbers and never from the words of a tool.

A test is judged beside the performance run of its entry, by both detail logs. Whether its files are
there is another check's; a test of a benchmark that loadproof doesn't score is not looked into.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from audit.compliance import complaints
from audit.compliance.speed import SpeedComparison, compare_speed
from audit.compliance.verified import VERIFY_PERFORMANCE, read_speed, read_word
from audit.compliance_tests import ComplianceTest, compliance_test
from audit.findings import Finding as Audited
from audit.logs.loadgen_log import DetailLog
from audit.logs.numbers import positive
from audit.submission.checks.answers import check_answers
from audit.submission.checks.logs import (
    judged_key,
    logs_are_readable,
    summary_is_whole,
)
from audit.submission.checks.performance import run_findings
from audit.submission.files import join
from audit.submission.findings import Finding, Outcome, judged
from audit.submission.measured import performance_metric
from audit.submission.standing import told
from audit.submission.subject import Subject

_GROUP = "TEST"
_SAME_TIMES = ("test_datetime", "power_begin", "power_end", "result_max_latency_ns")
"""Of the log; two runs never have all of them in common."""
_WRITTEN = 1e-3
"""A score in a text may be rounded, or be a percentile beside the estimate of it; relative."""


@dataclass(frozen=True)
class _Run:
    """The run of one test, beside the one that it is compared with."""

    test: ComplianceTest
    folder: str
    log: DetailLog
    performance: DetailLog | None
    speed: SpeedComparison | None


def check_compliance(subject: Subject) -> Iterator[Outcome]:
    """Every test of an entry that needs them."""
    benchmark = subject.entry.benchmark
    if benchmark is None or not subject.scored or not subject.entry.ruled:
        return
    for name in benchmark.compliance_tests:
        yield from _test(subject, compliance_test(name))


def _test(subject: Subject, test: ComplianceTest) -> Iterator[Outcome]:
    folder = subject.entry.test(test.name)
    run_folder = join(folder, "performance", "run_1")
    yield from logs_are_readable(subject, "TEST-001", run_folder)
    yield from summary_is_whole(subject, "TEST-004", run_folder)
    log, performance = subject.log(run_folder), subject.performance_log
    if log is not None:
        speed = _speed(subject, test, log, performance) if performance else None
        yield from _run(subject, _Run(test, folder, log, performance, speed))
    if test.compares_answers:
        yield from check_answers(subject, folder, log)


def _run(subject: Subject, run: _Run) -> Iterator[Outcome]:
    for one in told(_GROUP, run.log, _run_findings(subject, run)):
        yield _with_speeds(one, run.speed)
    if run.performance and run.performance.entries and run.log.entries:
        yield from _beside(run.log, run.performance)
    yield from _verified_speed(subject, run)


def _with_speeds(one: Outcome, speed: SpeedComparison | None) -> Outcome:
    """Where the rule about speeds holds, both of them."""
    if one.rule != "TEST-009" or isinstance(one, Finding) or speed is None:
        return one
    limit = f"{'±' if speed.both_ways else 'at most +'}{speed.limit_percent:g} %"
    return one._replace(
        found=f"{speed.test:.6g} {speed.unit}",
        expected=f"{speed.reference:.6g} {speed.unit}, {limit}",
    )


def _run_findings(subject: Subject, run: _Run) -> Iterator[Audited]:
    yield from run_findings(subject, run.log, run.test.name)
    if run.log.entries:
        yield from complaints.of_settings(run.test, run.log)
        yield from complaints.of_speed(run.test, run.log.where, run.speed)


def _beside(log: DetailLog, performance: DetailLog) -> Iterator[Outcome]:
    """Another run of the same scenario."""
    key, expected = "effective_scenario", performance.value("effective_scenario")
    yield judged_key(log.value(key) == expected, "TEST-007", log, key, expected)
    own = not _same_run(log, performance)
    found = "a run of its own" if own else "a copy of the performance run"
    yield judged(own, "TEST-008", log.where, found=found, expected="a run of its own")


def _same_run(one: DetailLog, other: DetailLog) -> bool:
    known = [key for key in _SAME_TIMES if key in one.entries]
    return bool(known) and all(one.value(key) == other.value(key) for key in known)


def _speed(
    subject: Subject, test: ComplianceTest, log: DetailLog, performance: DetailLog
) -> SpeedComparison | None:
    """Both measurements, where they are of one scenario."""
    metric = performance_metric(subject, log)
    if metric is None or metric != performance_metric(subject, performance):
        return None
    reference, measured = positive(performance, metric.key), positive(log, metric.key)
    if reference is None or measured is None:
        return None
    scenario = str(log.value("effective_scenario"))
    return compare_speed(test.speed, scenario, metric, reference, measured)


def _verified_speed(subject: Subject, run: _Run) -> Iterator[Outcome]:
    """The file that says so tells of these two runs, and says that the test is passed."""
    path = join(run.folder, VERIFY_PERFORMANCE)
    text = subject.text(path)
    if text is None:
        return
    word, said = read_word(text), read_speed(text)
    yield judged(word == "PASS", "TEST-011", path, found=word or "nothing", expected="PASS")
    if run.speed is not None:
        yield _same_score("TEST-010", path, said.test, run.speed.test)
        yield _same_score("TEST-012", path, said.reference, run.speed.reference)


def _same_score(rule: str, path: str, said: float | None, logged: float) -> Outcome:
    same = said is not None and abs(said - logged) <= _WRITTEN * logged
    shown = "nothing" if said is None else f"{said:.6g}"
    return judged(same, rule, path, found=shown, expected=f"{logged:.6g}")
