"""sweep.json: what a sweep measured, from which it goes on after an interruption."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from audit import schema
from datasets.disk.files import write_json
from datasets.errors import EvidenceError
from harness.spec import Scenario
from harness.sweep.confirmation import Confirmation
from harness.sweep.grid import Configuration, Skipped
from harness.sweep.recommend import Goal, Recommendation
from harness.sweep.rows import Accuracy, Measured, Row


@dataclass(frozen=True)
class SweepRecord:
    """A sweep and how far it came."""

    benchmark: str
    seconds: float
    """For which each configuration is run."""
    rows: tuple[Row, ...] = ()
    accuracies: tuple[Accuracy, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    goal: Goal | None = None
    confirmations: tuple[Confirmation, ...] = ()
    recommendations: tuple[Recommendation, ...] = ()

    def with_step(self, step: Row | Accuracy | Confirmation) -> SweepRecord:
        """This record with one more measurement."""
        if isinstance(step, Row):
            return replace(self, rows=(*self.rows, step))
        if isinstance(step, Confirmation):
            return replace(self, confirmations=(*self.confirmations, step))
        return replace(self, accuracies=(*self.accuracies, step))

    def with_rest_of(self, earlier: SweepRecord, wanted: Collection[Configuration]) -> SweepRecord:
        """With what ``earlier`` has and this one hasn't come to yet, so that nothing is lost if it
        never does."""
        done = {row.configuration for row in self.rows}
        scored = {one.session for one in self.accuracies}
        coming = set(wanted) - done
        rows = [row for row in earlier.rows if row.configuration in coming]
        accuracies = [one for one in earlier.accuracies if one.session not in scored]
        confirmations = [one for one in earlier.confirmations if one not in self.confirmations]
        return replace(
            self,
            rows=(*self.rows, *rows),
            accuracies=(*self.accuracies, *accuracies),
            confirmations=(*self.confirmations, *confirmations),
        )

    def confirmations_of(self, scenario: Scenario) -> list[Confirmation]:
        """The runs of one scenario, in their order."""
        return [one for one in self.confirmations if one.scenario == scenario]

    def document(self) -> dict[str, Any]:
        """The form that sweep.json holds."""
        return {
            "schema": "loadproof/sweep",
            "version": 1,
            "benchmark": self.benchmark,
            "seconds": self.seconds,
            "rows": [asdict(row) for row in self.rows],
            "accuracies": [asdict(one) for one in self.accuracies],
            "skipped": [asdict(one) for one in self.skipped],
            "goal": asdict(self.goal) if self.goal else None,
            "confirmations": [asdict(one) for one in self.confirmations],
            "recommendations": [asdict(one) for one in self.recommendations],
        }


def write_record(record: SweepRecord, path: Path) -> None:
    """Write sweep.json, checked by its schema."""
    document = record.document()
    schema.require(document, "sweep", str(path))
    write_json(path, document)


def read_record(path: Path) -> SweepRecord | None:
    """What an earlier sweep measured; None where there is none that can be read."""
    try:
        document = schema.read(path, "sweep")
    except EvidenceError:
        return None
    return SweepRecord(
        benchmark=document["benchmark"],
        seconds=document["seconds"],
        rows=tuple(_row(row) for row in document["rows"]),
        accuracies=tuple(Accuracy(**one) for one in document["accuracies"]),
        confirmations=tuple(_confirmation(one) for one in document.get("confirmations", ())),
    )


def _confirmation(document: Mapping[str, Any]) -> Confirmation:
    configuration = Configuration(**document["configuration"])
    return Confirmation(**{**document, "configuration": configuration})


def _row(document: Mapping[str, Any]) -> Row:
    measured = document["measured"]
    return Row(
        configuration=Configuration(**document["configuration"]),
        request=document["request"],
        measured=Measured(**measured) if measured else None,
        cause=document["cause"],
    )
