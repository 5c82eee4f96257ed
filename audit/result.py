"""Reading result.json: what was measured, in a form that can be shown and compared.

A result is read only where its schema holds; one of a newer version is refused in a sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit import schema
from audit.judge import AUDIT, RESULT
from audit.planned.nearby import such_as
from datasets.errors import EvidenceError


@dataclass(frozen=True)
class Accuracy:
    """A score and its target, both out of 100."""

    metric: str
    value: float
    target: float
    passed: bool
    margin_samples: float
    """To spare; negative where so many more would have to be right."""
    interval: tuple[float, float]
    """Confidence interval of the value."""


@dataclass(frozen=True)
class Measurement:
    """One scenario of a result."""

    benchmark: str
    scenario: str
    in_round: bool
    comparable: bool
    name: str
    unit: str
    """``ns``, ``samples/s`` or ``queries/s``."""
    higher_is_better: bool
    percentile: float | None
    """The share of queries that a latency speaks of; None in Offline."""
    values: tuple[float, ...]
    """Of the good performance runs, in ``unit``."""
    median: float
    cv_percent: float | None
    stability: str
    """The verdict on the repeats."""
    soak: str | None
    """The verdict on the soak, where there was one."""
    accuracy: Accuracy
    runs: tuple[Mapping[str, Any], ...]
    """The performance runs, as the schema has them; never empty."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """What LoadGen was asked for, of the first performance run; repeats share it."""
        settings: Mapping[str, Any] = self.runs[0]["settings"]
        return settings

    @property
    def threads(self) -> str:
        """Streams × intra-op threads."""
        batching = self.runs[0]["batching"]
        return f"{batching['streams']} × {batching['threads']}"


@dataclass(frozen=True)
class Result:
    """One result.json."""

    path: Path
    document: Mapping[str, Any]
    measurements: tuple[Measurement, ...]

    def measurement(self, scenario: str) -> Measurement | None:
        """The scenario of that name, or None where it was not measured."""
        return next((one for one in self.measurements if one.scenario == scenario), None)


def read_result(path: Path) -> Result:
    """The result in ``path``: a result.json, or the evidence folder that holds one.

    EvidenceError where there is none, or it can't be read as one.
    """
    file = _file(path)
    document = schema.read(file, "result")
    measured = tuple(
        _measurement(entry, document["runs"], str(file)) for entry in document["scenarios"]
    )
    return Result(file, document, measured)


def _file(path: Path) -> Path:
    if not path.exists():
        raise EvidenceError(
            f"There is no result at {path}; name a {RESULT}, or the evidence folder that holds it."
        )
    if not path.is_dir():
        return path
    if (path / RESULT).is_file():
        return path / RESULT
    why = (
        f"its audit did not pass, {AUDIT} says why"
        if (path / AUDIT).is_file()
        else f"name the evidence folder that a qualification left{such_as(path)}"
    )
    raise EvidenceError(f"{path} has no {RESULT}: {why}.")


def _measurement(
    entry: Mapping[str, Any], runs: list[Mapping[str, Any]], where: str
) -> Measurement:
    performance, accuracy = entry["performance"], entry["accuracy"]
    own = tuple(run for run in runs if _measures(run, entry["scenario"]))
    if not own or accuracy is None or not performance["spread"] or not performance["values"]:
        raise EvidenceError(
            f"{where} gives {entry['scenario']} without a measured value or a score; audit its "
            "evidence again."
        )
    spread = performance["spread"]
    return Measurement(
        benchmark=entry["benchmark"],
        scenario=entry["scenario"],
        in_round=entry["in_round"],
        comparable=entry["comparable"],
        name=performance["name"],
        unit=performance["unit"],
        higher_is_better=performance["better"] == "higher",
        percentile=performance["percentile"],
        values=tuple(number["value"] for number in performance["values"]),
        median=spread["median"],
        cv_percent=spread["cv_percent"],
        stability=performance["consistency"]["verdict"],
        soak=performance["soak"]["verdict"] if performance["soak"] else None,
        accuracy=_accuracy(accuracy),
        runs=own,
    )


def _accuracy(entry: Mapping[str, Any]) -> Accuracy:
    low, high = entry["interval"]
    return Accuracy(
        metric=entry["metric"],
        value=entry["value"],
        target=entry["target"],
        passed=entry["passed"],
        margin_samples=entry["margin_samples"],
        interval=(low, high),
    )


def _measures(run: Mapping[str, Any], scenario: str) -> bool:
    return bool(
        run["scenario"] == scenario and run["mode"] == "performance" and run["test"] is None
    )
