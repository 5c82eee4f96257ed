"""The rules of a round of MLPerf Inference, for every benchmark that it has.

Every number comes from ``rounds/``: one file a round, and ``common.json`` for what all rounds
share. What a round does not say is None or empty here, never a guess.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from datasets.errors import UsageError

_FOLDER = Path(__file__).parent / "rounds"


@dataclass(frozen=True)
class Seeds:
    """The three seeds of LoadGen that a round publishes."""

    qsl_rng_seed: int
    sample_index_rng_seed: int
    schedule_rng_seed: int


@dataclass(frozen=True)
class AccuracyTarget:
    """The lowest score that the closed division accepts."""

    metric: str
    """``top1_percent`` or ``f1``, both out of 100."""
    value: float


@dataclass(frozen=True)
class Metric:
    """What a scenario is measured by."""

    key: str
    """Key of LoadGen's detail log."""
    name: str
    unit: str
    higher_is_better: bool


@dataclass(frozen=True)
class BenchmarkRules:
    """What a round demands of one benchmark. A scenario is named as LoadGen names it."""

    name: str
    """The round's own name, such as ``resnet`` or ``bert-99``."""
    performance_sample_count: int
    dataset_size: int
    offline_min_samples: int | None
    """Fewest samples of the single query in Offline; None where the round names none."""
    accuracy_target: AccuracyTarget | None
    """None for a benchmark that loadproof doesn't score."""
    compliance_tests: tuple[str, ...]
    _required: Mapping[str, tuple[str, ...]]
    _optional: Mapping[str, tuple[str, ...]]
    _min_queries: Mapping[str, int]
    _latency_limit_ns: Mapping[str, int]
    _percentile: Mapping[str, float]
    _metrics: Mapping[str, Metric]
    _token_limits_ns: Mapping[str, Mapping[str, int]]

    @property
    def scenarios(self) -> tuple[str, ...]:
        """Every scenario that has a metric: all that LoadGen has."""
        return tuple(self._metrics)

    @property
    def named(self) -> frozenset[str]:
        """Every scenario that the round names for it: with a metric, required or optional."""
        lists = (self._metrics, *self._required.values(), *self._optional.values())
        return frozenset(one for names in lists for one in names)

    def required_scenarios(self, system_type: str) -> tuple[str, ...]:
        """Scenarios that a system of this type must bring; empty where it has none."""
        return self._required.get(normal_system_type(system_type), ())

    def has_scenario(self, system_type: str, scenario: str) -> bool:
        """Whether the round has this scenario for this benchmark and type of system."""
        optional = self._optional.get(normal_system_type(system_type), ())
        return scenario in self.required_scenarios(system_type) or scenario in optional

    def min_queries(self, scenario: str) -> int | None:
        """The round's minimum query count. Where early stopping applies, that decides instead."""
        return self._min_queries.get(scenario)

    def latency_limit_ns(self, scenario: str) -> int | None:
        """The limit on Server's tail latency, or None where the round has none."""
        return self._latency_limit_ns.get(scenario)

    @property
    def limits_tokens(self) -> bool:
        """Whether the latency of tokens is limited in place of that of whole queries."""
        return bool(self._token_limits_ns)

    def token_limits_ns(self, scenario: str) -> Mapping[str, int]:
        """Limits on the 99th percentiles of ``ttft``, the time to the first token, and of
        ``tpot``, that of each other one; empty where there are none."""
        return self._token_limits_ns.get(scenario, {})

    def percentile(self, scenario: str) -> float | None:
        """The share of queries that the latency speaks of, or None in Offline."""
        return self._percentile.get(scenario)

    def metric(self, scenario: str) -> Metric:
        """What the scenario is measured by. KeyError for a scenario that LoadGen doesn't have."""
        return self._metrics[scenario]


@dataclass(frozen=True)
class DrivenRules(BenchmarkRules):
    """The rules for a benchmark that loadproof drives: none of these is left open."""

    offline_min_samples: int
    accuracy_target: AccuracyTarget


@dataclass(frozen=True)
class Round:
    """One round. ``benchmark`` takes loadproof's names, ``resnet50`` and ``bert``; ``listed`` takes
    the round's own, such as ``resnet`` and ``bert-99``, and what the round calls the same."""

    name: str
    source: str
    seeds: Seeds
    min_duration_ms: int
    multistream_samples_per_query: int
    accuracy_log_max_bytes: int
    _driven: Mapping[str, DrivenRules]
    _aliases: Mapping[str, str]
    _benchmarks: Mapping[str, BenchmarkRules]

    @property
    def benchmarks(self) -> tuple[str, ...]:
        """Every benchmark of the round, by its own name."""
        return tuple(self._benchmarks)

    def listed(self, name: str) -> BenchmarkRules | None:
        """The rules for what the round or one of its aliases calls ``name``, or None."""
        return self._benchmarks.get(self._aliases.get(name, name))

    @cached_property
    def scenarios(self) -> tuple[str, ...]:
        """Every scenario that some benchmark of the round has, measured by LoadGen or not."""
        return tuple(sorted({one for rules in self._benchmarks.values() for one in rules.named}))

    def benchmark(self, name: str) -> DrivenRules:
        """The rules for a benchmark; UsageError names the known ones."""
        if name not in self._driven:
            known = ", ".join(sorted(self._driven))
            raise UsageError(f"Round {self.name} has no benchmark {name!r}; known are {known}.")
        return self._driven[name]


def round_names() -> tuple[str, ...]:
    """The rounds that loadproof knows, oldest first."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("v*.json")))


def newest_round() -> str:
    """The round that is meant where none is named."""
    return round_names()[-1]


def normal_system_type(system_type: str) -> str:
    """``edge``, ``datacenter`` or ``datacenter,edge``, however both were joined or ordered."""
    words = system_type.lower().replace(",", " ").split()
    return ",".join(sorted(set(words)))


@cache
def load_round(name: str) -> Round:
    """The round called ``name`` (``v6.1``); UsageError lists the known rounds."""
    if name not in round_names():
        known = ", ".join(round_names())
        raise UsageError(f"There is no round {name!r}; the known rounds are {known}.")
    document = json.loads((_FOLDER / f"{name}.json").read_text("utf-8"))
    common = common_rules()
    return Round(
        name=document["round"],
        source=document["source"],
        seeds=Seeds(**document["seeds"]),
        min_duration_ms=common["min_duration_ms"],
        multistream_samples_per_query=common["multistream_samples_per_query"],
        accuracy_log_max_bytes=common["accuracy_log_max_bytes"],
        _driven={
            ours: DrivenRules(**_benchmark(theirs, document, common))
            for ours, theirs in common["benchmark_names"].items()
        },
        _aliases=document["aliases"],
        _benchmarks={
            name: BenchmarkRules(**_benchmark(name, document, common))
            for name in document["benchmarks"]
        },
    )


@cache
def common_rules() -> Mapping[str, Any]:
    """What all rounds share, as ``rounds/common.json`` holds it."""
    common: Mapping[str, Any] = json.loads((_FOLDER / "common.json").read_text("utf-8"))
    return common


def _benchmark(name: str, document: Mapping[str, Any], common: Mapping[str, Any]) -> dict[str, Any]:
    """The members of :class:`BenchmarkRules`."""
    entry = document["benchmarks"][name]
    return {
        "name": name,
        "performance_sample_count": entry["performance_sample_count"],
        "dataset_size": entry["dataset_size"],
        "offline_min_samples": common["offline_min_samples_per_query"].get(name),
        "accuracy_target": _target(name, entry, common),
        "compliance_tests": tuple(entry["compliance_tests"]),
        "_required": {kind: tuple(names) for kind, names in entry["required_scenarios"].items()},
        "_optional": {kind: tuple(names) for kind, names in entry["optional_scenarios"].items()},
        "_min_queries": entry["min_query_count"],
        "_latency_limit_ns": entry["target_latency_ns"],
        "_percentile": common["latency_percentile"],
        "_token_limits_ns": common["llm_latency_limits_ns"].get(name, {}),
        "_metrics": _metrics(
            {**document["metric_field"], **entry["metric_field"]}, common["metrics"]
        ),
    }


def _target(
    name: str, document: Mapping[str, Any], common: Mapping[str, Any]
) -> AccuracyTarget | None:
    if name not in common["scored"]:
        return None
    ((metric, value),) = document["accuracy_target"].items()
    return AccuracyTarget(common["accuracy_metric_names"][metric], value)


def _metrics(
    fields: Mapping[str, str], described: Mapping[str, Mapping[str, str]]
) -> Mapping[str, Metric]:
    return {
        scenario: Metric(
            key=key,
            name=described[key]["name"],
            unit=described[key]["unit"],
            higher_is_better=described[key]["better"] == "higher",
        )
        for scenario, key in fields.items()
    }
