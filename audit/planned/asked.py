"""What a run was asked to be, as the spec beside its evidence says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from audit.planned.effective import TEST_MODES

MADE_HERE = frozenset({"embedded", "simulated"})
"""Origins of what loadproof makes itself: nothing of MLPerf, and never comparable with it."""


@dataclass(frozen=True)
class Source:
    """A model or a dataset, by name and content."""

    name: str
    sha256: str
    origin: str
    """``embedded``, ``official``, ``own`` or ``simulated``."""


@dataclass(frozen=True)
class Asked:
    """One run of LoadGen, before it was made."""

    benchmark: str
    scenario: str
    mode: str
    """``accuracy`` or ``performance``."""
    repeat: int
    round: str
    test: str | None
    model: Source
    dataset: Source
    settings: Mapping[str, Any]
    """LoadGen's ``effective_*`` keys without that prefix."""
    soak_s: float | None
    """Seconds of the soak that it is part of; None for a run of no soak."""
    document: Mapping[str, Any]
    """The whole spec, to be handed on."""

    @property
    def folder(self) -> PurePosixPath:
        """Where its evidence lies, relative to the evidence folder."""
        base = PurePosixPath(self.benchmark, self.scenario, self.test or "")
        return base / ("accuracy" if self.mode == "accuracy" else f"performance/run_{self.repeat}")

    @property
    def test_mode(self) -> str:
        """LoadGen's name of the mode."""
        return TEST_MODES[self.mode]


def asked_from(document: Mapping[str, Any]) -> Asked:
    """What a ``spec`` document asks for; the document has been checked by its schema."""
    return Asked(
        benchmark=document["benchmark"],
        scenario=document["scenario"],
        mode=document["mode"],
        repeat=document["repeat"],
        round=document["round"],
        test=document["test"],
        model=_source(document["model"]),
        dataset=_source(document["dataset"]),
        settings=document["settings"],
        soak_s=document["soak_s"],
        document=document,
    )


def _source(entry: Mapping[str, Any]) -> Source:
    return Source(entry["name"], entry["sha256"], entry["origin"])
