"""The scenario of a performance run: the folder's, or one that the metric may be inferred from."""

from __future__ import annotations

from collections.abc import Iterator

from audit.logs.loadgen_log import DetailLog
from audit.submission.checks.logs import judged_key
from audit.submission.findings import Outcome, finding
from audit.submission.inferred import Inference, logged_scenario
from audit.submission.subject import Subject


def check_scenario(subject: Subject) -> Iterator[Outcome]:
    """Whether the log may stand in its folder, and gives the metric that is inferred from it."""
    log, scenario, inferred = subject.performance_log, subject.entry.scenario, subject.inference
    if log is None or not log.entries or scenario is None:
        return
    key, expected = "effective_scenario", logged_scenario(scenario)
    allowed = log.value(key) == expected or inferred is not None
    type_ = subject.entry.system_type or "unknown"
    yield judged_key(allowed, "PERF-008", log, key, expected, system_type=type_)
    if inferred is not None:
        how = inferred.how
        yield finding("PERF-027", log.where, found=inferred.logged, expected=expected, how=how)
        yield _value(inferred, log)


def _value(inferred: Inference, log: DetailLog) -> Outcome:
    """Whether the metric can be made; that the rest of the log bears it out is another rule's."""
    holds = inferred.value(log) is not None
    return judged_key(holds, "PERF-028", log, inferred.keys[0], "a positive number")
