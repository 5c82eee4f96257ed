"""What a run is asked to be. Frozen before it starts, written beside what it leaves.

Everything that decides a run stands here; nothing else may decide it. Two runs with equal specs on
the same host and software are repeats of each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from math import floor, log10
from typing import Any, Literal

from audit.planned.effective import effective_settings
from audit.rules import Seeds, common_rules

Scenario = Literal["Offline", "Server", "SingleStream", "MultiStream"]
Mode = Literal["accuracy", "performance"]
Origin = Literal["embedded", "official", "own", "simulated"]
DatasetKind = Literal["imagenet", "squad", "simulated"]

SCENARIOS: tuple[Scenario, ...] = ("Offline", "SingleStream", "MultiStream", "Server")
MULTISTREAM_SAMPLES: int = common_rules()["multistream_samples_per_query"]
"""Samples in a MultiStream query: fixed by the MLPerf Inference rules."""
USUAL_PERCENTILE = 0.99
"""Of Server's latency, in every round and in LoadGen itself where nothing else is said."""
LOADGEN_OFFLINE_MARGIN = 1.1
"""LoadGen itself sends this much more than the expected rate needs for the minimum duration."""
EXPECTED_LATENCY_SHARE = 0.2
"""SingleStream and MultiStream are told to expect this share of the probed latency: LoadGen then
generates enough queries beforehand for a machine that was busy when it was probed."""


@dataclass(frozen=True)
class LoadGenSettings:
    """What LoadGen is told. A rate that a scenario does not use is None."""

    scenario: Scenario
    mode: Mode
    seeds: Seeds
    min_duration_ms: int
    min_query_count: int
    """Queries; in Offline, samples."""
    performance_sample_count: int
    target_qps: float | None = None
    """Offline and Server: expected samples per second."""
    expected_latency_ns: int | None = None
    """SingleStream and MultiStream: decides how many queries LoadGen generates beforehand."""
    target_latency_ns: int | None = None
    """Server: the limit."""
    percentile: float | None = None
    """Server, SingleStream, MultiStream: the share of queries that the latency speaks of."""

    def effective(self, test: str | None = None) -> dict[str, Any]:
        """What LoadGen's log must report: its ``effective_*`` keys without that prefix."""
        return effective_settings(asdict(self), test)


@dataclass(frozen=True)
class ModelRef:
    """The model, by name and content."""

    name: str
    path: str | None
    sha256: str
    origin: Origin


@dataclass(frozen=True)
class DatasetRef:
    """The dataset, by name and content, and where its prepared samples lie."""

    name: str
    kind: DatasetKind
    path: str | None
    sha256: str
    count: int
    """Samples in the query sample library."""
    origin: Origin
    labels: str | None = None
    vocab: str | None = None
    allow_subset: bool = False
    """Images that are missing were left out on purpose."""
    first: int | None = None
    """Only the first so many images or questions; None for all."""
    store: str = ""


@dataclass(frozen=True)
class BackendSpec:
    """Which runtime, on what, how."""

    name: str
    device: str
    devices: tuple[int, ...] = (0,)
    precision: str = "fp32"
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Batching:
    """How queries become batches."""

    max_batch: int
    streams: int
    """On each device."""
    threads: int
    """Of each stream."""
    max_delay_us: int = 0


@dataclass(frozen=True)
class RunSpec:
    """One LoadGen run."""

    benchmark: str
    suite: str
    round: str
    backend: BackendSpec
    model: ModelRef
    dataset: DatasetRef
    loadgen: LoadGenSettings
    batching: Batching
    repeat: int = 1
    test: str | None = None
    """A compliance test, by its name."""
    notes: tuple[str, ...] = ()
    soak_s: float | None = None
    """Seconds that the soak is to last which the run is part of; None for a run of no soak."""

    @property
    def scenario(self) -> Scenario:
        return self.loadgen.scenario

    @property
    def mode(self) -> Mode:
        return self.loadgen.mode

    def document(self) -> dict[str, Any]:
        """The JSON form, schema ``spec``."""
        body = asdict(self)
        return {
            "schema": "loadproof/spec",
            "version": 1,
            **body,
            "scenario": self.scenario,
            "mode": self.mode,
            "settings": self.loadgen.effective(self.test),
            "backend": {**body["backend"], "devices": list(self.backend.devices)},
            "notes": list(self.notes),
        }

    def at(self, **changes: Any) -> RunSpec:
        """This spec with other LoadGen settings."""
        return replace(self, loadgen=replace(self.loadgen, **changes))


def backend_from(document: Mapping[str, Any]) -> BackendSpec:
    """The backend that the JSON of a ``BackendSpec`` means."""
    return BackendSpec(**{**document, "devices": tuple(document["devices"])})


def spec_from(document: Mapping[str, Any]) -> RunSpec:
    """The spec that a validated ``spec`` document holds; what is derived in it is made anew."""
    loadgen = document["loadgen"]
    return RunSpec(
        benchmark=document["benchmark"],
        suite=document["suite"],
        round=document["round"],
        backend=backend_from(document["backend"]),
        model=ModelRef(**document["model"]),
        dataset=DatasetRef(**document["dataset"]),
        loadgen=LoadGenSettings(**{**loadgen, "seeds": Seeds(**loadgen["seeds"])}),
        batching=Batching(**document["batching"]),
        repeat=document["repeat"],
        test=document["test"],
        notes=tuple(document["notes"]),
        soak_s=document["soak_s"],
    )


def rounded(rate: float) -> float:
    """``rate`` with four significant digits: what LoadGen's log can repeat exactly."""
    return round(rate, 3 - floor(log10(rate)))


def samples_per_query(scenario: Scenario) -> int:
    """Of the scenarios whose queries come one after another."""
    return MULTISTREAM_SAMPLES if scenario == "MultiStream" else 1


def scenario_named(text: str) -> Scenario | None:
    """The scenario that ``text`` names in any case, or None."""
    return {name.lower(): name for name in SCENARIOS}.get(text.lower())
