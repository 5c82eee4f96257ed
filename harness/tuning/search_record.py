"""search.json: a search on disk, from which it goes on after an interruption.

It holds what decides the search and the list of what was told; everything else follows from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from audit import schema
from datasets.disk.files import write_json
from datasets.errors import EvidenceError
from harness.spec import RunSpec, spec_from
from harness.tuning.search import Answer, Goal, Tell


@dataclass(frozen=True)
class SearchRecord:
    """A search and how far it came."""

    request: str
    """Key of everything that decides it; see :func:`harness.request.request_key`."""
    spec: RunSpec
    """The run of full length; its rate is that of the last step, or the start."""
    goal: Goal
    tells: tuple[Tell, ...] = ()
    answer: Answer | None = None

    def document(self) -> dict[str, Any]:
        """The form that search.json holds."""
        return {
            "schema": "loadproof/search",
            "version": 1,
            "request": self.request,
            "spec": self.spec.document(),
            "goal": asdict(self.goal),
            "tells": [asdict(tell) for tell in self.tells],
            "answer": asdict(self.answer) if self.answer else None,
        }

    def same_search(self, other: SearchRecord) -> bool:
        """Whether what one was told is true of the other: all but rate and start are equal."""
        rate = other.spec.loadgen.target_qps
        start_qps = other.goal.start_qps
        return (self.request, self.spec.at(target_qps=rate)) == (
            other.request,
            other.spec,
        ) and replace(self.goal, start_qps=start_qps) == other.goal


def write_record(record: SearchRecord, path: Path) -> None:
    """Write search.json, checked by its schema."""
    document = record.document()
    schema.require(document, "search", str(path))
    write_json(path, document)


def read_record(path: Path) -> SearchRecord | None:
    """The search in ``path``; None where there is none that can be read."""
    try:
        return _record(schema.read(path, "search"))
    except EvidenceError:
        return None


def _record(document: Mapping[str, Any]) -> SearchRecord:
    answer = document["answer"]
    return SearchRecord(
        request=document["request"],
        spec=spec_from(document["spec"]),
        goal=Goal(**document["goal"]),
        tells=tuple(Tell(**tell) for tell in document["tells"]),
        answer=Answer(**answer) if answer else None,
    )
