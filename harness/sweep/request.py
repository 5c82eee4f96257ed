"""What the user asked a sweep for, and what follows from it before anything is measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast, get_args

from audit.rules import load_round
from datasets.cores import usable_cores
from datasets.errors import BackendError, UsageError
from harness.benchmarks import benchmark_named
from harness.request import Request
from harness.sweep.grid import PROVIDER_OPTION, Axes, Configuration, Grid, Offer, lay_out
from harness.sweep.recommend import Goal, Kind, Recommendation
from sut.backend import usable_provider

FOLDER = "sweep"


@dataclass(frozen=True)
class SweepRequest:
    """What is swept. ``request`` says everything that is not varied."""

    request: Request
    axes: Axes
    seconds: float
    goal: Goal
    accuracy: bool = False
    """Score each backend, precision and provider once; what misses its target isn't recommended."""
    confirm: bool = True
    """Put what is recommended for each scenario to a short run of LoadGen."""
    own_limit: bool = False
    """Whether the user named the latency limit: a scenario that can't keep it is then a finding."""
    variants: Mapping[str, Path] = field(default_factory=dict)
    """Precision → the model file that has it; the request's model for all others."""

    def met_by(self, found: Sequence[Recommendation]) -> bool:
        """Whether what was asked for can be recommended: something for a scenario, and under a
        limit of the user's own something for Server; what its run did not bear out is nothing."""
        served = {one.scenario for one in found if one.configuration and one.borne_out is not False}
        return "Server" in served if self.own_limit else bool(served)

    @property
    def folder(self) -> Path:
        return self.request.output / FOLDER / self.request.benchmark

    @property
    def record(self) -> Path:
        return self.folder / "sweep.json"

    @property
    def lock(self) -> Path:
        return self.folder.parent / f".{self.folder.name}.lock"

    def grid(self) -> Grid:
        """What will be measured, and what not."""
        cores = max(1, usable_cores() // len(self.request.devices))
        return lay_out(self.axes, {name: _offer(name) for name in self.axes.backends}, cores)

    def request_for(self, one: Configuration) -> Request:
        """The request that opens what ``one`` needs."""
        chosen = {PROVIDER_OPTION: one.provider} if one.provider else {}
        own = self.variants.get(one.precision)
        asked = replace(self.request, model=own, model_name=None) if own else self.request
        return replace(
            asked,
            backend=one.backend,
            precision=one.precision,
            options={**asked.options, **chosen},
        )


def goal_from(
    kind: str, latency_limit_ms: float | None, price_per_hour: float | None, request: Request
) -> Goal:
    """The goal that the user states; Server's limit is the round's where none is given."""
    if kind not in get_args(Kind):
        raise UsageError(f"There is no goal {kind!r}; the goals are {', '.join(get_args(Kind))}.")
    if kind == "latency" and latency_limit_ms is None:
        raise UsageError("The goal latency needs a limit: give one with --latency-limit-ms.")
    if kind == "cost" and price_per_hour is None:
        raise UsageError("The goal cost needs a price: give one with --price-per-hour.")
    benchmark_named(request.benchmark)
    official_ns = load_round(request.round).benchmark(request.benchmark).latency_limit_ns("Server")
    official_ms = None if official_ns is None else official_ns / 1e6
    return Goal(cast(Kind, kind), latency_limit_ms or official_ms, price_per_hour)


def variants_from(given: Mapping[str, str], precisions: Sequence[str]) -> dict[str, Path]:
    """Precision → model file. UsageError for a precision that isn't swept or a file that isn't
    there."""
    for precision, file in given.items():
        if precision not in precisions:
            raise UsageError(
                f"--variant names {precision}, which is not swept: add it to --precisions or leave "
                "the variant out."
            )
        if not Path(file).exists():
            raise UsageError(f"There is no model at {file}, the variant for {precision}.")
    return {precision: Path(file) for precision, file in given.items()}


def _offer(name: str) -> Offer:
    try:
        runtime = usable_provider(name)
    except BackendError as error:
        return Offer((), (), str(error))
    return Offer(tuple(runtime.precisions), tuple(runtime.options))
