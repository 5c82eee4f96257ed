"""A submission as its folders name it: submitters, their systems, and the entries of each.

Nothing is judged here, and nothing that has a place is left out: an entry with a damaged file, an
unknown benchmark or an unknown scenario is an entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from audit.rules import BenchmarkRules, Round
from audit.submission.files import Tree, join
from audit.submission.layout import Layout

RULED_DIVISIONS = ("closed", "network")
"""Where the round decides the scenarios and the tests; in open the submitter does."""


@dataclass(frozen=True)
class Submission:
    """A tree, read by the rules of one round."""

    tree: Tree
    round: Round
    layout: Layout
    submitters: tuple[Submitter, ...]
    asked: str | None
    """The one submitter that was asked for; None for all of them."""

    def systems(self) -> Iterator[System]:
        """Every system, in order."""
        for submitter in self.submitters:
            yield from submitter.systems

    def entries(self) -> Iterator[Entry]:
        """Every entry, in order."""
        for system in self.systems():
            yield from system.entries


@dataclass(frozen=True)
class Submitter:
    """A submitter's folder in one division."""

    division: str
    name: str
    folder: str
    systems: tuple[System, ...]


@dataclass(frozen=True)
class System:
    """One system under test: named by a folder in results, or by a description alone."""

    name: str
    description_file: str
    """Where its description belongs, whether or not there is one."""
    description: Description
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class Description:
    """What the description of a system says, as far as it decides what is checked."""

    system_type: str
    """``edge``, ``datacenter``, ``datacenter,edge``; empty where it can't be known."""


@dataclass(frozen=True)
class Entry:
    """One system, benchmark and scenario."""

    division: str
    submitter: str
    system: str
    system_type: str
    benchmark_folder: str
    benchmark: BenchmarkRules | None
    """None where the round has no such benchmark."""
    scenario_folder: str
    scenario: str | None
    """As the round names it; None where the folder's name is none."""
    results: str
    measurements: str
    compliance: str
    endpoints: bool
    """Made by MLCommons' endpoints harness, which leaves no logs of LoadGen: never judged here."""

    @property
    def name(self) -> str:
        """How findings and tables call it."""
        return join(
            self.division, self.submitter, self.system, self.benchmark_folder, self.scenario_folder
        )

    @property
    def ruled(self) -> bool:
        """Whether the round decides its scenarios, its score and its tests: not in open."""
        return self.division in RULED_DIVISIONS

    @property
    def performance(self) -> str:
        return join(self.results, "performance", "run_1")

    @property
    def accuracy(self) -> str:
        return join(self.results, "accuracy")

    def test(self, name: str) -> str:
        """The folder of a compliance test."""
        return join(self.compliance, name)
