"""What ``loadproof show`` prints of a result: for people, for a wiki, for a spreadsheet."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from tabulate import tabulate

from audit.result import Measurement, Result
from harness.benchmarks import benchmark_named
from harness.report.quantity import amount, heading, interval, run_count
from harness.report.result_csv import scenarios_csv
from harness.report.scenario import NOT_IN_ROUND_NOTE, scenario_name
from harness.report.sensors import sensor_lines
from harness.report.width import Row, fitted

FORMATS = ("plain", "github", "csv", "json")
_MEASURED = ("scenario", "metric", "value", "spread", "repeats")


def render(result: Result, form: str) -> str:
    """``result`` in one of :data:`FORMATS`, without a trailing newline.

    ``json`` is the document itself. A table of Markdown is for a page, and as wide as it must be.
    """
    if form == "json":
        return json.dumps(result.document, indent=2, ensure_ascii=False)
    if form == "csv":
        return scenarios_csv(result)
    return _tables(result, _TABLES[form])


def _markdown(rows: Sequence[Row], headings: Sequence[str], _words: Collection[int] = ()) -> str:
    return tabulate(rows, headings, tablefmt="github", disable_numparse=True)


_TABLES: Mapping[str, Callable[..., str]] = {"plain": fitted, "github": _markdown}


def _tables(result: Result, table: Callable[..., str]) -> str:
    score = benchmark_named(result.document["benchmark"]).metric_title
    headings = (*_MEASURED, score, "target", "threads", "MLPerf")
    measured = table([_row(one) for one in result.measurements], headings)
    about = table(list(_about(result.document)), ("about", ""), (1,))
    title = f"{result.document['id']}: {result.document['label']}"
    return "\n\n".join(part for part in (title, measured, _note(result), about) if part)


def _note(result: Result) -> str:
    return "" if all(one.in_round for one in result.measurements) else NOT_IN_ROUND_NOTE


def _row(one: Measurement) -> tuple[str, ...]:
    counted = run_count(len(one.values))
    spread = counted if one.cv_percent is None else f"CV {one.cv_percent:.1f} %, {counted}"
    return (
        scenario_name(one.scenario, one.in_round),
        heading(one.name, one.unit, one.percentile),
        amount(one.median, one.unit),
        spread,
        one.stability if one.soak is None else f"{one.stability}, soak: {one.soak}",
        f"{one.accuracy.value:.3f} ({interval(*one.accuracy.interval)})",
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
    measured = [run for run in document["runs"] if run["mode"] == "performance"]
    for name, line in sensor_lines(run.get("sensors") for run in measured):
        yield f"{name} meanwhile", line
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
