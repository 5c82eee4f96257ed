"""The outcomes of benchmarks as a table and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Any

from tabulate import tabulate

from tests.benchmarks.benchmark import Figure, Outcome

_HEADERS = ("benchmark", "figure", "ours", "reference", "unit", "median", "spread", "predicted", "")
_VERDICTS = {True: "holds", False: "missed", None: ""}


def table(outcomes: Sequence[Outcome]) -> str:
    """One line a figure."""
    return tabulate([_row(outcome) for outcome in outcomes], _HEADERS, disable_numparse=True)


def document(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """One object a figure, with the values of every round."""
    return [
        {
            "benchmark": outcome.benchmark.name,
            "ours": outcome.benchmark.ours,
            "reference": outcome.benchmark.reference,
            "figure": outcome.figure.name,
            "unit": outcome.figure.unit,
            "judged": "ours - reference" if outcome.figure.excess else "ours / reference",
            "least": outcome.figure.least,
            "most": outcome.figure.most,
            "pairs": [list(pair) for pair in outcome.pairs],
            "median": outcome.value,
            "lowest": min(outcome.values),
            "highest": max(outcome.values),
            "holds": outcome.holds,
        }
        for outcome in outcomes
    ]


def _row(outcome: Outcome) -> tuple[str, ...]:
    figure, values = outcome.figure, outcome.values
    return (
        outcome.benchmark.name,
        figure.name,
        f"{median(pair.ours for pair in outcome.pairs):.5g}",
        f"{median(pair.reference for pair in outcome.pairs):.5g}",
        figure.unit,
        _judged(figure, outcome.value),
        f"{_judged(figure, min(values))} … {_judged(figure, max(values))}",
        _predicted(figure),
        _VERDICTS[outcome.holds],
    )


def _judged(figure: Figure, value: float) -> str:
    return f"{value:+.4g}" if figure.excess else f"{value:.3f}"


def _predicted(figure: Figure) -> str:
    unit = f" {figure.unit}" if figure.excess else ""
    bounds = ((figure.least, "≥"), (figure.most, "≤"))
    return ", ".join(f"{sign} {bound:g}{unit}" for bound, sign in bounds if bound is not None)
