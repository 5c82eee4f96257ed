"""Measuring a result again: the same plan, in a new folder, with what has changed since said first.

The plan is the one that the result holds, run by run. A plan is about a model and a dataset of
known content, so it is not run on another one. Everything else may have changed: to see what that
does is what a rerun is for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from audit.comparison.changes import Changed, system_changes
from audit.planned.asked import MADE_HERE
from audit.result import Result
from datasets.disk.files import read_json_or_none, write_json
from datasets.disk.lock import hold
from datasets.errors import EvidenceError, UsageError
from harness.begin import Begun
from harness.host.description import describe_host, system_document
from harness.job import Job
from harness.planning import plan
from harness.planning.plan import Plan
from harness.planning.survey import prepared
from harness.qualify import qualify
from harness.request import Request
from harness.running.display import Display
from harness.running.rundir import Evidence, set_aside
from harness.sources import Sources, resolve
from harness.spec import RunSpec, spec_from
from harness.stop import StopRequests
from harness.suites import load_suite

Verdict = TypeVar("Verdict")


@dataclass(frozen=True)
class Place:
    """Where a rerun's evidence goes, and how files are had."""

    output: Path
    cache: Path
    mirror: str | None = None
    offline: bool = False


def changes_since(result: Result) -> tuple[Changed, ...]:
    """What is not as it was when ``result`` was measured: machine, driver, packages."""
    return system_changes(result.document["system"], system_document(describe_host()))


def rerun(
    result: Result,
    place: Place,
    display: Display,
    stop: StopRequests,
    judge: Callable[[Path], Verdict],
) -> Verdict:
    """Run the plan of ``result`` again; what ``judge`` says of the new evidence folder.

    Started again, it goes on where it was. EvidenceError where the model or the data is not what
    it was, UsageError where the new evidence would lie on the old; otherwise as ``qualify``.
    """
    planned = _plan_of(result)
    first = planned.runs[0]
    evidence = Evidence(place.output / plan.evidence_id(first.backend, first.model))
    _require_new(evidence, result)
    request, suite = request_for(planned, place), load_suite(first.suite)
    job = Job(request, suite, describe_host(), display, stop)
    display.step("Finding the model and the dataset")
    begun = Begun(job, resolve(job.errands, suite.max_items))
    _require_same(planned, begun.sources)
    _lay_down(begun, planned, evidence)
    return qualify(request, display, stop, judge, as_planned=True)


def _plan_of(result: Result) -> Plan:
    document = result.document["plan"]
    return Plan(document, tuple(spec_from(run) for run in document["runs"]))


def request_for(planned: Plan, place: Place) -> Request:
    """The request that means what ``planned`` was made of: the same files where they are still
    there, else what is fetched or generated in their place."""
    first = planned.runs[0]
    return Request(
        benchmark=first.benchmark,
        backend=first.backend.name,
        device=first.backend.device,
        devices=first.backend.devices,
        precision=first.backend.precision,
        options=first.backend.options,
        suite=first.suite,
        round=first.round,
        system_type=str(planned.document["system_type"]),
        scenarios=tuple(dict.fromkeys(run.scenario for run in planned.runs)),
        output=place.output,
        cache=place.cache,
        mirror=place.mirror,
        offline=place.offline,
        **_model(first),
        **_data(first),
    )


def _model(first: RunSpec) -> Mapping[str, Any]:
    model = first.model
    path = Path(model.path) if model.path else None
    if model.origin == "own":
        return {"model": path}
    if model.origin != "official":
        return {}
    return {"model_dir": path.parent} if path and path.exists() else {"model_name": model.name}


def _data(first: RunSpec) -> Mapping[str, Any]:
    dataset = first.dataset
    if dataset.origin in MADE_HERE:
        return {}
    files = {key: getattr(dataset, key) for key in ("path", "labels", "vocab")}
    path, labels, vocab = (Path(file) if file else None for file in files.values())
    return {"data": path, "labels": labels, "vocab": vocab, "allow_subset": dataset.allow_subset}


def _require_same(planned: Plan, sources: Sources) -> None:
    first = planned.runs[0]
    pairs = (("model", first.model, sources.model), ("data", first.dataset, sources.dataset))
    for what, before, now in pairs:
        if before.sha256 != now.sha256:
            raise EvidenceError(
                f"The {what} {before.name} is not what was measured: its SHA-256 is {now.sha256}, "
                f"not {before.sha256}; put it back as it was, or qualify anew."
            )


def _require_new(evidence: Evidence, result: Result) -> None:
    if evidence.root.resolve() == result.path.parent.resolve():
        raise UsageError(
            f"The rerun would go into {evidence.root}, where the result itself lies; name another "
            "--output."
        )


def _lay_down(begun: Begun, planned: Plan, evidence: Evidence) -> None:
    """Write the plan for the files and the machine as they are now, unless an earlier start of this
    rerun has; evidence of another plan is set aside."""
    dataset, model = prepared(begun), begun.sources.model
    runs = tuple(replace(run, model=model, dataset=dataset) for run in planned.runs)
    document = {
        **planned.document,
        "request": begun.plan_key,
        "model": asdict(model),
        "dataset": asdict(dataset),
        "runs": [run.document() for run in runs],
    }
    with hold(evidence.lock):
        if is_laid_down(read_json_or_none(evidence.plan), document):
            return
        set_aside(evidence.root, "Evidence of another plan", begun.job.display.note)
        write_json(evidence.system, system_document(begun.job.host))
        plan.save_plan(Plan(document, runs), evidence.plan)


def is_laid_down(found: Any, wanted: Mapping[str, Any]) -> bool:
    """Whether ``found`` is the plan ``wanted``; runs of it may have been added or lengthened since
    it was laid down."""
    if not isinstance(found, dict) or not isinstance(found.get("runs"), list):
        return False
    if any(found.get(key) != value for key, value in wanted.items() if key != "runs"):
        return False
    return _places(wanted["runs"]) <= _places(found["runs"])


def _places(runs: Iterable[Mapping[str, Any]]) -> set[tuple[Any, ...]]:
    return {tuple(run[key] for key in ("scenario", "mode", "test", "repeat")) for run in runs}
