"""A plan: every run of a qualification, frozen before the first of them starts.

Rates and batch sizes that depend on the machine are decided here once, from what was probed, so
that a restart asks for the same runs and finds the finished ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from math import ceil
from pathlib import Path
from typing import Any

from audit import schema
from audit.rules import Round, load_round
from datasets.disk.files import write_json
from harness.planning.base_spec import base_spec, expected_s
from harness.planning.inputs import Inputs, Machine
from harness.spec import BackendSpec, ModelRef, RunSpec, Scenario, spec_from


@dataclass(frozen=True)
class Plan:
    """Every run of a qualification, in the order in which they are run."""

    document: Mapping[str, Any]
    runs: tuple[RunSpec, ...]

    @property
    def request(self) -> str:
        return str(self.document["request"])

    @property
    def stall_s(self) -> float:
        return float(self.document["stall_s"])

    @property
    def run_s(self) -> Mapping[str, float]:
        """About how many seconds one performance run takes, by scenario: it tells time, and no
        verdict rests on it."""
        seconds: Mapping[str, float] = self.document["run_s"]
        return seconds

    @property
    def user_conf(self) -> tuple[str, ...]:
        """The lines of the user's own user.conf that it was made with."""
        return tuple(self.document["user_conf"])

    def with_more(self, more: Callable[[Sequence[RunSpec]], Iterable[RunSpec]]) -> Plan:
        """This plan with ``more`` of the runs of each scenario, after the others of their kind.

        Runs that are planned stay as they are, so that finished ones need not be made again.
        """
        runs: list[RunSpec] = []
        for scenario in dict.fromkeys(run.scenario for run in self.runs):
            own = [run for run in self.runs if run.scenario == scenario]
            runs += sorted([*own, *more(own)], key=_kind)
        return self.with_runs(runs)

    def with_runs(self, runs: Iterable[RunSpec]) -> Plan:
        """This plan with ``runs`` in place of its own."""
        made = tuple(runs)
        return Plan({**self.document, "runs": [run.document() for run in made]}, made)


def _kind(run: RunSpec) -> tuple[bool, bool]:
    """What the runs of a scenario are ordered by: accuracy, performance, compliance tests."""
    return run.mode == "performance", run.test is not None


def repeats_of(runs: Iterable[RunSpec]) -> list[RunSpec]:
    """The performance runs that are no compliance test."""
    return [run for run in runs if run.mode == "performance" and run.test is None]


def seldom_repeated(runs: Iterable[RunSpec], most: int) -> list[Scenario]:
    """Scenarios with fewer performance runs than ``most``: one of them takes long."""
    counts = Counter(run.scenario for run in repeats_of(runs))
    return [scenario for scenario, count in counts.items() if count < most]


def evidence_id(backend: BackendSpec, model: ModelRef) -> str:
    """Backend, device, precision and model: short, readable, and different for what differs."""
    several = f"x{len(backend.devices)}" if len(backend.devices) > 1 else ""
    device = f"{backend.device}{several}"
    return "-".join((backend.name, device, backend.precision, model.name)).replace("/", "_")


def make_plan(inputs: Inputs, server_qps: float | None) -> Plan:
    """The plan: each scenario's accuracy run, then its performance runs."""
    runs: list[RunSpec] = []
    for scenario in inputs.scenarios:
        runs.append(base_spec(inputs, scenario, "accuracy", server_qps))
        performance = base_spec(inputs, scenario, "performance", server_qps)
        count = inputs.suite.repeats(expected_s(performance, inputs.machine))
        runs.extend(replace(performance, repeat=number) for number in range(1, count + 1))
    return Plan(_document(inputs, runs), tuple(runs))


def run_s_of(inputs: Inputs, runs: list[RunSpec]) -> dict[str, float]:
    """About how long one performance run of each scenario takes."""
    return {
        run.scenario: max(0.001, round(expected_s(run, inputs.machine), 3))
        for run in runs
        if run.mode == "performance"
    }


def _document(inputs: Inputs, runs: list[RunSpec]) -> dict[str, Any]:
    first = runs[0].document()
    why_not = tuple(_why_not_comparable(inputs))
    return {
        "schema": "loadproof/plan",
        "version": 1,
        "id": inputs.id,
        "request": inputs.request,
        "created": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "suite": inputs.suite.name,
        "round": inputs.rules.name,
        "embedded": "embedded" in {inputs.model.origin, inputs.dataset.origin},
        "comparable": not why_not and inputs.model.origin == inputs.dataset.origin == "official",
        "why_not_comparable": list(why_not),
        "system_type": inputs.system_type,
        "benchmark": inputs.benchmark,
        "model": first["model"],
        "dataset": first["dataset"],
        "accuracy_target": inputs.target.document(),
        "facts": {**inputs.machine.facts, "device": inputs.machine.device_used},
        "stall_s": inputs.machine.stall_s,
        "run_s": run_s_of(inputs, runs),
        "user_conf": [entry.text for entry in inputs.user_conf],
        "runs": [run.document() for run in runs],
        "notes": [],
    }


def _why_not_comparable(inputs: Inputs) -> Iterator[str]:
    yield from inputs.suite.why_not_comparable
    if inputs.model.origin == "own":
        yield "the model is your own file: open division only"
    if inputs.dataset.origin == "own":
        yield "the dataset is your own, not the published one"


def save_plan(plan: Plan, path: Path) -> None:
    """Write plan.json, checked by its schema."""
    schema.require(plan.document, "plan", str(path))
    write_json(path, plan.document)


def load_plan(path: Path) -> Plan:
    """The plan in plan.json; EvidenceError where it can't be read as one."""
    document = schema.read(path, "plan")
    return Plan(document, tuple(spec_from(run) for run in document["runs"]))


def rules_of(plan: Plan) -> Round:
    """The round that the plan was made for."""
    return load_round(str(plan.document["round"]))


def estimated_s(plan: Plan, machine: Machine) -> int:
    """About how long the whole plan takes, in whole seconds."""
    accuracy_s = [
        run.dataset.count / (run.loadgen.target_qps or machine.offline_qps())
        for run in plan.runs
        if run.mode == "accuracy"
    ]
    performance_s = [expected_s(run, machine) for run in plan.runs if run.mode == "performance"]
    return ceil(sum(accuracy_s) + sum(performance_s))
