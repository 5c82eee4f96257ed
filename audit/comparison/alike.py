"""Whether two results measured the same thing: only then does a difference say anything.

Backend, precision, batching, machine and software may differ: to compare those is what comparing is
for. The same weights may come as files of two runtimes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from audit import quantities
from audit.result import Measurement, Result

_LENGTHS = {
    "min_duration_ms": "minimum duration in ms",
    "min_query_count": "minimum query count",
    "samples_per_query": "samples per query",
    "performance_sample_count": "performance sample count",
}


def reasons_against(first: Result, second: Result, scenario: str) -> tuple[str, ...]:
    """Every reason why a scenario of two results can't be compared; empty where it can."""
    return tuple(_reasons(first, second, scenario))


def _reasons(first: Result, second: Result, scenario: str) -> Iterator[str]:
    one, other = first.document, second.document
    yield from _unlike("benchmark", one["benchmark"], other["benchmark"])
    yield from _unlike("division", division(one), division(other))
    if not _same_model(one["model"], other["model"]):
        yield f"other model: {_named(one['model'])} and {_named(other['model'])}"
    if one["dataset"]["sha256"] != other["dataset"]["sha256"]:
        yield f"other data: {_named(one['dataset'])} and {_named(other['dataset'])}"
    yield from _unlike("number of samples", one["dataset"]["count"], other["dataset"]["count"])
    measured = first.measurement(scenario), second.measurement(scenario)
    if measured[0] and measured[1]:
        yield from _settings(measured[0], measured[1])
    else:
        yield f"only the {'first' if measured[0] else 'second'} has {scenario}"


def division(document: Mapping[str, Any]) -> str:
    """``closed`` or ``open`` of MLPerf, or what is none of it: ``embedded`` or ``simulated``."""
    origins = {document["model"]["origin"], document["dataset"]["origin"]}
    for origin in ("simulated", "embedded"):
        if origin in origins:
            return origin
    return "open" if "own" in origins else "closed"


def _settings(first: Measurement, second: Measurement) -> Iterator[str]:
    yield from _unlike("metric", first.unit, second.unit)
    one, other = first.settings, second.settings
    yield from _unlike(
        "latency limit", *(_duration(asked.get("target_latency_ns")) for asked in (one, other))
    )
    yield from _unlike("percentile", first.percentile, second.percentile)
    for key, name in _LENGTHS.items():
        yield from _unlike(name, one.get(key), other.get(key))


def _unlike(name: str, one: object, other: object) -> Iterator[str]:
    if one != other:
        yield f"other {name}: {one} and {other}"


def _same_model(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    embedded = one["origin"] == other["origin"] == "embedded"
    return bool(one["sha256"] == other["sha256"] or (embedded and one["name"] == other["name"]))


def _named(source: Mapping[str, Any]) -> str:
    return f"{source['name']} ({source['sha256'][:12]}…)"


def _duration(nanoseconds: float | None) -> str:
    return "none" if nanoseconds is None else quantities.duration(nanoseconds)
