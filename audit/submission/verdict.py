"""The verdict on each entry. Every entry gets one, whatever its files hold.

An entry is valid where it was judged and no error is about it, about anything in its folders or
about the description of its system. Where loadproof doesn't judge its benchmark, or only some rules
were asked, nothing it could say is a pass: the entry is not judged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from audit.submission.choice import Choice
from audit.submission.findings import Finding
from audit.submission.measured import Measured
from audit.submission.subject import LogFile
from audit.submission.tree import Entry

Status = Literal["valid", "invalid", "not judged"]


@dataclass(frozen=True)
class Examined:
    """What the files of one entry give."""

    findings: tuple[Finding, ...]
    measured: Measured | None
    """None where not even that could be read."""
    logs: tuple[LogFile, ...] = ()
    """The detail logs of its runs, as far as they could be read."""


@dataclass(frozen=True)
class EntryVerdict:
    """What one entry is worth, and why."""

    entry: Entry
    status: Status
    findings: tuple[Finding, ...]
    """About this entry alone."""
    measured: Measured | None
    """Its row in a table of results; None where no check could make one."""

    @property
    def errors(self) -> int:
        """How many errors are about it."""
        return sum(one.severity == "error" for one in self.findings)


def is_judged(entry: Entry) -> bool:
    """Whether loadproof judges such entries: it scores their benchmark and knows the scenario."""
    scored = entry.benchmark is not None and entry.benchmark.accuracy_target is not None
    return scored and entry.scenario is not None and not entry.endpoints


def verdict_on(entry: Entry, examined: Examined, choice: Choice, spoilt: bool) -> EntryVerdict:
    """The verdict, by what its files give; it is invalid where an error that is not its own spoils
    its files or the description of its system."""
    findings = choice.kept(examined.findings)
    status = _status(entry, findings, choice, spoilt)
    return EntryVerdict(entry, status, findings, examined.measured)


def _status(entry: Entry, findings: tuple[Finding, ...], choice: Choice, spoilt: bool) -> Status:
    if spoilt or any(one.severity == "error" for one in findings):
        return "invalid"
    return "valid" if is_judged(entry) and not choice.only else "not judged"
