"""The JSON form of a comparison, schema ``comparison``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from audit.comparison.comparing import CAVEAT, ResultComparison, ScenarioComparison
from audit.comparison.difference import CONFIDENCE, METHOD, Difference
from audit.consistency.document import rounded
from audit.result import Measurement, Result
from datasets.disk.files import sha256_of


def comparison_document(comparisons: Sequence[ResultComparison]) -> dict[str, Any]:
    """Of at least one comparison; all have the same first result."""
    return {
        "schema": "loadproof/comparison",
        "version": 1,
        "method": METHOD,
        "caveat": CAVEAT,
        "confidence": CONFIDENCE,
        "first": _result(comparisons[0].first),
        "comparisons": [
            {
                "second": _result(one.second),
                "scenarios": [_scenario(scenario) for scenario in one.scenarios],
                "changes": [change.document() for change in one.changes],
            }
            for one in comparisons
        ],
    }


def _result(result: Result) -> dict[str, Any]:
    acceptance = result.document["requirements"]
    return {
        "id": result.document["id"],
        "file": str(result.path),
        "sha256": sha256_of(result.path),
        "accepted": acceptance["passed"] if acceptance else None,
    }


def _scenario(one: ScenarioComparison) -> dict[str, Any]:
    known = next(measured for measured in (one.first, one.second) if measured)
    return {
        "scenario": one.scenario,
        "verdict": one.verdict,
        "why_not": list(one.why_not),
        "metric": known.name,
        "unit": known.unit,
        "better": "higher" if known.higher_is_better else "lower",
        "first": _side(one.first),
        "second": _side(one.second),
        "difference": _difference(one.difference) if one.difference else None,
        "runs_needed": one.needed,
        "notes": list(one.notes),
    }


def _side(measured: Measurement | None) -> dict[str, Any] | None:
    if measured is None:
        return None
    return {
        "values": list(measured.values),
        "median": measured.median,
        "accuracy": measured.accuracy.value,
    }


def _difference(difference: Difference) -> dict[str, Any]:
    interval = difference.interval
    return {
        "percent": rounded(difference.percent),
        "interval_percent": [rounded(interval.low), rounded(interval.high)] if interval else None,
        "p": None if difference.p is None else rounded(difference.p),
    }
