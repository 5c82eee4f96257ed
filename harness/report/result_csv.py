"""A result as rows for a spreadsheet: unrounded numbers, each with its unit in its column's name.

A scenario's metric stands in the column of its unit, which is called as acceptance profiles call
it; latencies are in milliseconds, as in the tables.
"""

from __future__ import annotations

import csv
import io
from typing import Any

from audit.result import Accuracy, Measurement, Result

_NS_PER_MS = 1e6
_RATES = {"samples/s": "samples_per_s", "queries/s": "queries_per_s"}


def scenarios_csv(result: Result) -> str:
    """A heading and a row for each scenario, without a trailing newline."""
    rows = [_record(result, one) for one in result.measurements]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().rstrip("\n")


def _record(result: Result, one: Measurement) -> dict[str, Any]:
    return {
        "id": result.document["id"],
        "benchmark": one.benchmark,
        "scenario": one.scenario,
        "metric": one.name,
        **_measured(one),
        "runs": len(one.values),
        "cv_percent": one.cv_percent,
        "repeats": one.stability,
        "soak": one.soak,
        **_scored(one.accuracy),
        "in_round": one.in_round,
        "comparable": one.comparable,
    }


def _measured(one: Measurement) -> dict[str, float | None]:
    """The median in the column of its unit; the other columns are empty."""
    rates = {name: one.median if one.unit == unit else None for unit, name in _RATES.items()}
    latency_ms = one.median / _NS_PER_MS if one.unit == "ns" else None
    share = one.percentile
    percentile = None if share is None else round(100 * share, 9)
    return {**rates, "latency_ms": latency_ms, "latency_percentile": percentile}


def _scored(accuracy: Accuracy) -> dict[str, Any]:
    low, high = accuracy.interval
    return {
        "accuracy_metric": accuracy.metric,
        "accuracy_percent": accuracy.value,
        "accuracy_low_percent": low,
        "accuracy_high_percent": high,
        "accuracy_target_percent": accuracy.target,
        "accuracy_margin_samples": accuracy.margin_samples,
    }
