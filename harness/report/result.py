"""What ``loadproof show`` prints of a result: for people, for a wiki, for a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

from tabulate import tabulate

from audit.result import Measurement, Result
from harness.benchmarks import benchmark_named
from harness.report.quantity import amount, heading, interval

_TABLE_FORMATS = {"plain": "simple", "github": "github"}
FORMATS = (*_TABLE_FORMATS, "csv", "json")

HEADINGS = (
    "scenario",
    "metric",
    "value",
    "spread",
    "repeats",
    "accuracy",
    "target",
    "threads",
    "MLPerf",
)


def render(result: Result, form: str) -> str:
    """``result`` in one of :data:`FORMATS`, without a trailing newline.

    ``csv`` has a row for each scenario, with unrounded numbers; ``json`` is the document itself.
    """
    if form == "json":
        return json.dumps(result.document, indent=2, ensure_ascii=False)
    if form == "csv":
        return _csv(result)
    return _tables(result, _TABLE_FORMATS[form])


def _csv(result: Result) -> str:
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
        "unit": one.unit,
        "percentile": one.percentile,
        "value": one.median,
        "runs": len(one.values),
        "cv_percent": one.cv_percent,
        "repeats": one.stability,
        "soak": one.soak,
        "accuracy_metric": one.accuracy.metric,
        "accuracy": one.accuracy.value,
        "accuracy_low": one.accuracy.interval[0],
        "accuracy_high": one.accuracy.interval[1],
        "accuracy_target": one.accuracy.target,
        "accuracy_margin_samples": one.accuracy.margin_samples,
        "in_round": one.in_round,
        "comparable": one.comparable,
    }


def _tables(result: Result, table_format: str) -> str:
    measured = tabulate(
        [_row(one) for one in result.measurements],
        HEADINGS,
        tablefmt=table_format,
        disable_numparse=True,
    )
    about = tabulate(
        list(_about(result.document)), ("about", ""), tablefmt=table_format, disable_numparse=True
    )
    return "\n\n".join([f"{result.document['id']}: {result.document['label']}", measured, about])


def _row(one: Measurement) -> tuple[str, ...]:
    runs = "1 run" if len(one.values) == 1 else f"{len(one.values)} runs"
    spread = runs if one.cv_percent is None else f"CV {one.cv_percent:.1f} %, {runs}"
    score = benchmark_named(one.benchmark).metric_title
    return (
        one.scenario if one.in_round else f"{one.scenario} (not in this round)",
        heading(one.name, one.unit, one.percentile),
        amount(one.median, one.unit),
        spread,
        one.stability if one.soak is None else f"{one.stability}, soak: {one.soak}",
        f"{score} {one.accuracy.value:.3f} ({interval(*one.accuracy.interval)})",
        f"{one.accuracy.target:.3f}",
        one.threads,
        "comparable" if one.comparable else "no",
    )


def _about(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    backend = document["runs"][0]["backend"]
    yield "benchmark", document["benchmark"]
    yield "suite, round", f"{document['suite']}, {document['round']}, {document['system_type']}"
    yield "policy", document["policy"]["name"]
    for key in ("model", "dataset"):
        entry = document[key]
        yield key, f"{entry['name']} ({entry['origin']}), SHA-256 {entry['sha256'][:16]}…"
    yield "backend", f"{backend['name']} on {backend['device']}, {backend['precision']}"
    system = document["system"] or {}
    yield from _host(system.get("host", {}))
    yield "software", ", ".join(f"{name} {v}" for name, v in document["software"].items())
    if isinstance(system.get("command"), list):
        yield "command", " ".join(map(str, system["command"]))
    gates = document["gates"]
    yield "gates passed", f"{sum(gate['passed'] for gate in gates)} of {len(gates)}"
    acceptance = document["requirements"]
    if acceptance:
        met = "met" if acceptance["passed"] else "NOT MET"
        yield "requirements", f"{acceptance['name']}: {met}"
    yield "audited", document["audited"]
    for number, reason in enumerate(document["why_not_comparable"]):
        yield "" if number else "not comparable", reason


def _host(host: Any) -> Iterator[tuple[str, str]]:
    """The machine; an audit passes without a description of it, and says so in a warning."""
    if not isinstance(host, Mapping):
        return
    facts = {key: str(host.get(key) or "") for key in ("cpu_model", "usable_cores", "kernel")}
    if all(facts.values()):
        yield "machine", "{cpu_model}, {usable_cores} cores, Linux {kernel}".format(**facts)
    gpus = host.get("gpus")
    for gpu in gpus if isinstance(gpus, list) else ():
        yield "GPU", ", ".join(map(str, gpu.values())) if isinstance(gpu, Mapping) else str(gpu)
