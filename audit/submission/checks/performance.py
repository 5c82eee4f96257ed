"""The performance run: whether its number is one that the round accepts.

What the log says against itself, and where it falls short of the round, is found by the audit; the
rules here say what a submission must have beyond that.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit import quantities
from audit.findings import Finding as Audited
from audit.logs.loadgen_log import DetailLog
from audit.logs.numbers import positive
from audit.metric import unusable
from audit.planned.effective import TEST_MODES
from audit.runs import demands, modes, summary, validity
from audit.submission.checks.loaded import loaded_samples
from audit.submission.checks.logs import (
    is_truncated,
    judged_key,
    logs_are_readable,
    summary_is_whole,
)
from audit.submission.files import join
from audit.submission.findings import Outcome, judged
from audit.submission.measured import performance_metric
from audit.submission.standing import line_in, told
from audit.submission.subject import ACCURACY_LOG, SUMMARY, Subject

_GROUP = "PERF"
_TOKENS = {
    "ttft": "result_first_token_99.00_percentile_latency_ns",
    "tpot": "result_time_per_output_token_99.00_percentile_ns",
}


def check_performance(subject: Subject) -> Iterator[Outcome]:
    """Everything about the performance run of an entry."""
    folder, log = subject.entry.performance, subject.performance_log
    yield from logs_are_readable(subject, "PERF-001", folder)
    yield from is_truncated(subject, "PERF-026", join(folder, ACCURACY_LOG))
    yield from summary_is_whole(subject, "PERF-025", folder)
    if log is None:
        return
    yield from told(_GROUP, log, run_findings(subject, log))
    if not log.entries:
        return
    yield _mode(log)
    yield from _library(subject, log)
    yield from _latency(subject, log)


def run_findings(subject: Subject, log: DetailLog, test: str | None = None) -> Iterator[Audited]:
    """What the audit has to say of a run that was measured, for itself and by the round. Of an
    empty log, only that it is empty."""
    if not log.entries:
        yield from log.problems
        return
    yield from validity.of_itself(log)
    yield from modes.departures(log, test=test)
    beside = join(log.where.rpartition("/")[0], SUMMARY)
    yield from summary.disagreements(subject.text(beside) or "", log)
    if subject.entry.benchmark:
        yield from demands.unmet(log, subject.entry.benchmark, subject.round)
    metric = performance_metric(subject, log)
    if metric is not None and positive(log, metric.key) is None:
        yield unusable(log, metric)


def _mode(log: DetailLog) -> Outcome:
    found, key = log.value("effective_test_mode"), "effective_test_mode"
    expected = TEST_MODES["performance"]
    return judged_key(found == expected, "PERF-007", log, key, expected)


def _library(subject: Subject, log: DetailLog) -> Iterator[Outcome]:
    """What was loaded to measure with, and what the library says that it holds at once.

    LoadGen loads as many as it is told to, whatever the library says.
    """
    benchmark = subject.entry.benchmark
    if benchmark is None:
        return
    demanded = benchmark.performance_sample_count
    yield from loaded_samples(log, demanded)
    key = "qsl_reported_performance_count"
    held = log.number(key)
    if held is not None:
        yield judged_key(held >= demanded, "PERF-012", log, key, demanded)


def _latency(subject: Subject, log: DetailLog) -> Iterator[Outcome]:
    """The tail that was measured, beside the limit that it had to keep."""
    benchmark, scenario = subject.entry.benchmark, subject.entry.scenario
    if benchmark is None or scenario is None:
        return
    logged = str(log.value("effective_scenario"))
    limit_ns, share = benchmark.latency_limit_ns(logged), benchmark.percentile(logged)
    if limit_ns is not None and share is not None and not benchmark.limits_tokens:
        key = f"result_{share * 100:.2f}_percentile_latency_ns"
        yield _within(log, "PERF-022", key, limit_ns)
    for which, most_ns in benchmark.token_limits_ns(scenario).items():
        yield _within(log, "PERF-023", _TOKENS[which], most_ns)


def _within(log: DetailLog, rule: str, key: str, limit_ns: float) -> Outcome:
    latency_ns = positive(log, key)
    holds = latency_ns is not None and latency_ns <= limit_ns
    found = "unknown" if latency_ns is None else quantities.duration(latency_ns)
    return judged(
        holds,
        rule,
        log.where,
        line=line_in(log, log.place(key)),
        found=found,
        expected=quantities.duration(limit_ns),
        key=key,
    )
