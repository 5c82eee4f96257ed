"""The accuracy runs of an evidence folder, read for comparison with each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from audit.consistency.answers import Answers, read_answers
from audit.evidence.folder import ACCURACY, Evidence, Run, read_evidence
from audit.planned.nearby import such_as
from datasets.errors import EvidenceError


def read_all(runs: Iterable[Run]) -> tuple[Answers, ...]:
    """The answers of every finished accuracy run whose log can be read; the others are left out,
    since scoring them says what is wrong."""
    return tuple(answers for run in runs if _answered(run) for answers in _readable(run, run.name))


def read_folders(folders: Iterable[Path]) -> tuple[Answers, ...]:
    """The same of several evidence folders, as different backends leave them, in their order.

    EvidenceError names a folder that holds no plan, no answers, or another benchmark.
    """
    found: list[Answers] = []
    benchmarks: dict[str, Path] = {}
    for folder in folders:
        evidence = read_evidence(folder)
        if evidence.plan is None:
            raise EvidenceError(
                f"{folder} is no evidence folder, because it has no plan that can be read: name "
                f"one that a qualification left{such_as(folder)}."
            )
        benchmarks.setdefault(evidence.plan.benchmark, folder)
        found += _of_folder(evidence)
    if len(benchmarks) > 1:
        both = " and ".join(benchmarks)
        raise EvidenceError(f"Answers of {both} can't be compared; name folders of one benchmark.")
    return tuple(found)


def _of_folder(evidence: Evidence) -> Iterator[Answers]:
    read = [
        answers
        for run in evidence.runs
        if _answered(run)
        for answers in _readable(run, f"{evidence.folder.name}/{run.asked.scenario}")
    ]
    if not read:
        raise EvidenceError(
            f"{evidence.folder} has no accuracy run whose answers can be read; run it again."
        )
    yield from read


def _answered(run: Run) -> bool:
    finished = run.record is not None and run.record.outcome == "finished"
    return finished and run.asked.mode == "accuracy" and run.asked.test is None


def _readable(run: Run, name: str) -> Iterator[Answers]:
    try:
        yield read_answers(name, run.folder / ACCURACY, run.asked.benchmark)
    except EvidenceError:
        return
