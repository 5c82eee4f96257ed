"""What ``loadproof list`` shows: everything that can be asked for by name."""

from __future__ import annotations

from typing import Any

from audit.rules import round_names
from harness.benchmarks import benchmarks
from harness.report.width import fitted
from harness.suites import load_suite, suite_names
from sut import zoo
from sut.backend import availability_of, provider_names, providers

_WORDS = {"title", "available"}
"""Columns of sentences."""


def known() -> dict[str, Any]:
    """Benchmarks, backends with their availability, models, suites and rounds, as JSON."""
    return {
        "benchmarks": [
            {"name": entry.name, "title": entry.title} for entry in benchmarks().values()
        ],
        "backends": [_backend(name) for name in provider_names()],
        "models": [
            {
                "name": entry.name,
                "benchmark": entry.benchmark,
                "origin": entry.origin,
                "precision": entry.precision,
                "file": entry.file,
            }
            for entry in zoo.models()
        ],
        "suites": [{"name": name, "title": load_suite(name).title} for name in suite_names()],
        "rounds": [{"name": name} for name in round_names()],
    }


def _backend(name: str) -> dict[str, Any]:
    backend, seen = providers().get(name), availability_of(name)
    return {
        "name": name,
        "available": seen.version or f"no: {seen.reason}",
        "devices": ", ".join(backend.devices) if backend else "",
        "precisions": ", ".join(backend.precisions) if backend else "",
        "options": dict(backend.options) if backend else {},
    }


def render(document: dict[str, Any]) -> str:
    """The same as tables, one under the other."""
    tables = []
    for title, rows in document.items():
        headings = [key for key in rows[0] if key != "options"]
        cells = [[row[key] for key in headings] for row in rows]
        words = [number for number, key in enumerate(headings) if key in _WORDS]
        tables.append(f"{title}\n{fitted(cells, headings, words)}")
    options = [
        (row["name"], option, does)
        for row in document["backends"]
        for option, does in row["options"].items()
    ]
    table = fitted(options, ("backend", "option", "does"), (2,), keys=2)
    return "\n\n".join([*tables, f"backend options\n{table}"])
