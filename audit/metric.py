"""The number that a performance run is made for, as LoadGen logged it."""

from __future__ import annotations

from pathlib import Path

from audit.findings import Finding, finding
from audit.logs.loadgen_log import DetailLog
from audit.rules import Metric
from audit.runs.validity import Status
from audit.verdicts import Number, Source
from datasets.disk.files import sha256_of


def measured(
    log: DetailLog, metric: Metric, status: Status, file: Path
) -> tuple[Number | None, tuple[Finding, ...]]:
    """The metric in ``log``, which was read from ``file``; None where it is no positive number.

    A VALID run without a usable metric is a finding; elsewhere LoadGen has said why.
    """
    value = log.number(metric.key)
    if value is not None and value > 0:
        source = Source(log.where, sha256_of(file))
        return Number(value, metric.unit, metric.key, source), ()
    return None, (unusable(log, metric),) if status == "VALID" else ()


def unusable(log: DetailLog, metric: Metric) -> Finding:
    """The finding of a log whose metric is absent or no positive number."""
    said = log.value(metric.key)
    found = "it is not in the log" if said is None else f"it is {said}"
    return finding("metric.missing", log.place(metric.key), found=found, key=metric.key)
