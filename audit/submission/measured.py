"""What an entry's result is: the row that it has in a table of results.

Nothing is judged here. A number is there wherever the logs give one; whether it holds is what the
findings say.
"""

from __future__ import annotations

from dataclasses import dataclass

from audit.accuracy.stated import stated_score
from audit.logs.loadgen_log import DetailLog
from audit.logs.numbers import positive
from audit.rules import Metric, common_rules
from audit.submission.power import Power, power_of
from audit.submission.subject import Subject

_NS = {"Latency (ms)": 1e6, "Latency (s)": 1e9}
"""Nanoseconds in the units that latencies are published in."""


@dataclass(frozen=True)
class Measured:
    """One row. None stands for what the logs do not give."""

    metric: str
    """Key of LoadGen's detail log; empty where the scenario has none."""
    value: float | None
    unit: str
    """As results are published: ``Samples/s``, ``Queries/s``, ``Latency (ms)``."""
    inferred_from: str | None
    """The scenario of the log, where that is another."""
    accuracy: float | None
    """As accuracy.txt states it, out of 100; never more than its own counts make."""
    accuracy_metric: str
    """``top1_percent``, ``f1``, or empty for a benchmark that is not scored."""
    power: Power | None
    """None of an entry that measured no power."""


def measured(subject: Subject) -> Measured:
    """The row of an entry; ``subject`` may be damaged in any way."""
    log, metric, unit = subject.performance_log, _metric(subject), _unit(subject)
    inferred = subject.inference
    value = None
    if log is not None and metric is not None:
        value = inferred.value(log) if inferred else positive(log, metric.key)
    accuracy, accuracy_metric = _accuracy(subject)
    return Measured(
        metric=_key(subject, metric),
        value=None if value is None else value / _NS.get(unit, 1),
        unit=unit,
        inferred_from=inferred.logged if inferred else None,
        accuracy=accuracy,
        accuracy_metric=accuracy_metric,
        power=power_of(subject),
    )


def performance_metric(subject: Subject, log: DetailLog) -> Metric | None:
    """What the scenario that ``log`` is of is measured by; None where there is no such scenario."""
    logged = str(log.value("effective_scenario"))
    benchmark = subject.entry.benchmark
    return benchmark.metric(logged) if benchmark and logged in benchmark.scenarios else None


def _metric(subject: Subject) -> Metric | None:
    benchmark, scenario = subject.entry.benchmark, subject.entry.scenario
    if benchmark is None or scenario not in benchmark.scenarios:
        return None
    return benchmark.metric(str(scenario))


def _key(subject: Subject, metric: Metric | None) -> str:
    inferred = subject.inference
    return inferred.keys[-1] if inferred else metric.key if metric else ""


def _unit(subject: Subject) -> str:
    common, scenario = common_rules(), subject.entry.scenario or ""
    name = subject.entry.benchmark.name if subject.entry.benchmark else ""
    special: str | None = common["units_special"].get(name, {}).get(scenario)
    return special or str(common["units"].get(scenario, ""))


def _accuracy(subject: Subject) -> tuple[float | None, str]:
    benchmark = subject.entry.benchmark
    target = benchmark.accuracy_target if benchmark else None
    if target is None:
        return None, ""
    score = stated_score(subject.accuracy_text or "", target.metric)
    return (score.borne_out if score else None), target.metric
