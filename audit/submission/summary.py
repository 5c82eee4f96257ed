"""How a check went, counted for the tree, each submitter and each system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from audit.submission.check import Checked
from audit.submission.findings import Finding, Severity, shown
from audit.submission.tree import Submission
from audit.submission.verdict import Status

_FOLDERS_OF_SYSTEMS = ("results", "measurements", "compliance", "systems")


class Owner(NamedTuple):
    """What a finding is about: a system, a submitter as a whole, or (all empty) the tree. Names are
    as they can be shown."""

    division: str = ""
    submitter: str = ""
    system: str = ""


@dataclass(frozen=True)
class Tally:
    """The verdicts on one owner's entries, and the findings about it."""

    owner: Owner
    statuses: Counter[Status]
    severities: Counter[Severity]

    @property
    def entries(self) -> int:
        return sum(self.statuses.values())


def tallies(checked: Checked) -> Iterator[Tally]:
    """One for each system, and one for whatever else something was found about, in order."""
    counted = {owner: Tally(owner, Counter(), Counter()) for owner in _owners(checked.submission)}
    for verdict in checked.verdicts:
        counted[_entry_owner(verdict.entry.name)].statuses[verdict.status] += 1
    for one in checked.findings:
        counted[_owner(one, counted)].severities[one.severity] += 1
    for tally in counted.values():
        if tally.owner.system or tally.severities:
            yield tally


def _owners(submission: Submission) -> Iterator[Owner]:
    yield Owner()
    for submitter in submission.submitters:
        owner = Owner(shown(submitter.division), shown(submitter.name))
        yield owner
        for system in submitter.systems:
            yield owner._replace(system=shown(system.name))


def _owner(one: Finding, known: Container[Owner]) -> Owner:
    """The system that a finding is about, else the submitter, else the tree."""
    named = _entry_owner(one.entry) if one.entry else _path_owner(one.where)
    return next((of for of in (named, named._replace(system="")) if of in known), Owner())


def _entry_owner(name: str) -> Owner:
    return Owner(*shown(name).split("/")[:3])


def _path_owner(where: str) -> Owner:
    division, submitter, folder, system, *_ = (*where.split("/"), "", "", "")
    if folder not in _FOLDERS_OF_SYSTEMS:
        return Owner(division, submitter)
    named = system.removesuffix(".json") if folder == "systems" else system
    return Owner(division, submitter, named)
