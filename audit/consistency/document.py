"""The JSON form of a verdict on repeats. Rounded to ten digits, so that it is the same everywhere
whatever the last bit of a library's arithmetic is."""

from __future__ import annotations

from typing import Any

from audit.consistency.agreement import Pair
from audit.consistency.drift import Drift
from audit.consistency.soak import Soak
from audit.consistency.summary import Statistics
from audit.consistency.verdict import Consistency
from audit.intervals import Interval

_DIGITS = 10


def consistency_document(consistency: Consistency) -> dict[str, Any]:
    """The ``consistency`` member of a scenario."""
    statistics = consistency.statistics
    return {
        "verdict": consistency.verdict,
        "runs": statistics.runs if statistics else 0,
        "runs_needed": consistency.needed,
        "reasons": [found.sentence for found in consistency.findings],
        "statistics": _statistics(statistics) if statistics else None,
    }


def soak_document(soak: Soak) -> dict[str, Any]:
    """The ``soak`` member of a scenario."""
    return {
        "verdict": soak.verdict,
        "asked_s": soak.asked_s,
        "measured_s": rounded(soak.measured_s),
        "longest_pause_s": rounded(soak.longest_pause_s),
        "runs": soak.runs,
        "runs_needed": soak.needed,
        "reasons": [found.sentence for found in soak.findings],
        "drift": _drift(soak.across) if soak.across else None,
        "drift_tail": _drift(soak.tail) if soak.tail else None,
        "drift_inside": _drift(soak.inside) if soak.inside else None,
    }


def agreement_document(pairs: tuple[Pair, ...]) -> list[dict[str, Any]]:
    """The ``agreement`` member of an audit: an entry for each pair of accuracy runs."""
    return [_pair(pair) for pair in pairs]


def _pair(pair: Pair) -> dict[str, Any]:
    return {
        "first": pair.first,
        "second": pair.second,
        "compared": pair.compared,
        "only_in_one": pair.only_in_one,
        "differing": pair.differing,
        "samples": list(pair.samples),
        "largest_logit_difference": {
            "value": rounded(pair.logits.value),
            "sample": pair.logits.sample,
        }
        if pair.logits
        else None,
    }


def _statistics(statistics: Statistics) -> dict[str, Any]:
    tail = statistics.tail
    return {
        "mean_interval": _interval(statistics.mean),
        "cv_percent_interval": _interval(statistics.cv),
        "runs_to_decide": statistics.runs_to_decide,
        "tail_latency": {
            "mean_ns": rounded(tail.mean_ns),
            "interval_ns": _interval(tail.interval),
            "runs": tail.runs,
            "method": "percentile bootstrap of the mean over the runs",
        }
        if tail
        else None,
        "drift": _drift(statistics.drift) if statistics.drift else None,
        "drift_inside": [{"run": one.run, **_drift(one.drift)} for one in statistics.inside],
        "outliers": [
            {"run": one.run, "percent": rounded(one.percent)} for one in statistics.outliers
        ],
    }


def _drift(drift: Drift) -> dict[str, Any]:
    return {
        "percent": rounded(drift.percent),
        "interval_percent": _interval(drift.interval),
        "p": rounded(drift.p),
    }


def interval_document(interval: Interval) -> list[float]:
    """From its lower end to its upper."""
    return [rounded(interval.low), rounded(interval.high)]


def _interval(interval: Interval | None) -> list[float] | None:
    return interval_document(interval) if interval else None


def rounded(value: float) -> float:
    """``value`` to ten digits."""
    return float(f"{value:.{_DIGITS}g}")
