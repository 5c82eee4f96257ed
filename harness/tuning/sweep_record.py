"""sweep.json: what a sweep measured, from which it goes on after an interruption."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from audit import schema
from datasets.errors import EvidenceError
from datasets.files import write_json
from harness.tuning.grid import Configuration, Skipped
from harness.tuning.recommend import Goal, Recommendation
from harness.tuning.rows import Measured, Row


@dataclass(frozen=True)
class SweepRecord:
    """A sweep and how far it came."""

    benchmark: str
    seconds: float
    """For which each configuration is run."""
    rows: tuple[Row, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    goal: Goal | None = None
    recommendations: tuple[Recommendation, ...] = ()

    def document(self) -> dict[str, Any]:
        """The form that sweep.json holds."""
        return {
            "schema": "loadproof/sweep",
            "version": 1,
            "benchmark": self.benchmark,
            "seconds": self.seconds,
            "rows": [asdict(row) for row in self.rows],
            "skipped": [asdict(one) for one in self.skipped],
            "goal": asdict(self.goal) if self.goal else None,
            "recommendations": [asdict(one) for one in self.recommendations],
        }


def write_record(record: SweepRecord, path: Path) -> None:
    """Write sweep.json, checked by its schema."""
    document = record.document()
    schema.require(document, "sweep", str(path))
    write_json(path, document)


def read_rows(path: Path, seconds: float) -> Sequence[Row]:
    """The rows of an earlier sweep of the same length; none where there is none to be read."""
    try:
        document = schema.read(path, "sweep")
    except EvidenceError:
        return ()
    if document["seconds"] != seconds:
        return ()
    return [_row(row) for row in document["rows"]]


def _row(document: Mapping[str, Any]) -> Row:
    measured = document["measured"]
    return Row(
        configuration=Configuration(**document["configuration"]),
        request=document["request"],
        measured=Measured(**measured) if measured else None,
        cause=document["cause"],
    )
