"""The plan of a qualification, as plan.json holds it, and where it contradicts itself.

What stands at the top of a plan is what its runs have in common, and is demanded to be so: a title
can't promise another model, data or round than was run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audit.accuracy.target import Target
from audit.accuracy.truth import Dataset
from audit.findings import Finding, finding
from audit.planned.asked import MADE_HERE, Asked, asked_from
from audit.planned.effective import effective_settings
from audit.rules import Round

PLAN = "plan.json"

_SHARED = ("benchmark", "suite", "round", "model", "dataset")


@dataclass(frozen=True)
class Plan:
    """The runs that were to be made, and on what."""

    id: str
    suite: str
    round: str
    system_type: str
    benchmark: str
    embedded: bool
    """Whether any run is of the embedded model or data, whatever the plan says of itself."""
    why_not_comparable: tuple[str, ...]
    dataset: Dataset
    target: Target
    runs: tuple[Asked, ...]
    document: Mapping[str, Any]

    @property
    def set_aside(self) -> Sequence[Mapping[str, Any]]:
        """Each time that runs of a scenario were set aside, to be made again."""
        aside: Sequence[Mapping[str, Any]] = self.document.get("set_aside", ())
        return aside


def plan_from(document: Mapping[str, Any]) -> Plan:
    """The plan in a ``plan`` document, which has been checked by its schema."""
    target = document["accuracy_target"]
    return Plan(
        id=document["id"],
        suite=document["suite"],
        round=document["round"],
        system_type=document["system_type"],
        benchmark=document["benchmark"],
        embedded="embedded" in _origins(document),
        why_not_comparable=tuple(document["why_not_comparable"]),
        dataset=dataset_from(document["dataset"]),
        target=Target(target["metric"], target["value"], target["source"]),
        runs=tuple(asked_from(spec) for spec in document["runs"]),
        document=document,
    )


def _origins(document: Mapping[str, Any]) -> set[str]:
    return {spec[what]["origin"] for spec in document["runs"] for what in ("model", "dataset")}


def dataset_from(entry: Mapping[str, Any]) -> Dataset:
    """Where the truth lies of a dataset, as plans and specs describe one."""
    path, labels, vocab = (
        Path(entry[key]) if entry[key] else None for key in ("path", "labels", "vocab")
    )
    return Dataset(
        kind=entry["kind"],
        count=entry["count"],
        sha256=entry["sha256"],
        first=entry["first"],
        allow_subset=entry["allow_subset"],
        path=path,
        labels=labels,
        vocab=vocab,
    )


def contradictions(plan: Plan) -> Iterator[Finding]:
    """What in the plan can't be true together, each once."""
    document = plan.document
    for key in _SHARED:
        others = [run for run in document["runs"] if run[key] != document[key]]
        if others:
            yield finding("plan.contradicted", PLAN, key=key, count=len(others))
    if document["embedded"] != plan.embedded:
        yield finding("plan.contradicted", PLAN, key="embedded", count=len(document["runs"]))
    yield from _numbering(plan)
    for run in plan.runs:
        yield from _other_settings(run)


def _numbering(plan: Plan) -> Iterator[Finding]:
    """Repeats are numbered from 1 without a gap, and none twice."""
    for folder, count in Counter(str(run.folder) for run in plan.runs).items():
        if count > 1:
            yield finding("plan.repeated", PLAN, found=count, run=folder)
    repeats: dict[str, set[int]] = {}
    for run in plan.runs:
        group = run.folder.parent if run.mode == "performance" else run.folder
        repeats.setdefault(str(group), set()).add(run.repeat)
    for group_name, numbers in repeats.items():
        absent = sorted(set(range(1, len(numbers) + 1)) - numbers)
        if absent:
            yield finding("plan.gap", PLAN, found=absent[0], expected=len(numbers), run=group_name)


def _other_settings(run: Asked) -> Iterator[Finding]:
    """The settings that the log is held to must follow from what LoadGen was told."""
    loadgen = run.document["loadgen"]
    told = {**effective_settings(loadgen, run.test), **_told(loadgen)}
    stated = {**run.settings, **_told(run.document)}
    differing = sorted(key for key in told.keys() | stated if told.get(key) != stated.get(key))
    if differing:
        yield finding("plan.settings", str(run.folder), found=", ".join(differing))


def _told(document: Mapping[str, Any]) -> Mapping[str, Any]:
    return {key: document[key] for key in ("scenario", "mode")}


def other_target(plan: Plan, round_: Round) -> Iterator[Finding]:
    """On data that loadproof did not make, the accuracy target is the round's own."""
    demanded = round_.benchmark(plan.benchmark).accuracy_target
    published = plan.document["dataset"]["origin"] not in MADE_HERE
    same_metric = plan.target.metric == demanded.metric
    if not same_metric or (published and plan.target.value != demanded.value):
        yield finding(
            "plan.target",
            PLAN,
            found=f"{plan.target.value:g} ({plan.target.metric})",
            expected=f"{demanded.value:g} ({demanded.metric})" if published else demanded.metric,
            round=round_.name,
        )
