"""Checking a whole submission: what is found, and a verdict on every entry.

Entries can be checked anywhere and in any order, one slice by one: :func:`check_slice` needs
nothing but the submission. The result is the same however they were divided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from audit.submission.checking import check_entry, check_whole
from audit.submission.choice import ALL, OWN, Choice
from audit.submission.findings import Finding
from audit.submission.subject import Subject
from audit.submission.tree import Entry, Submission
from audit.submission.verdict import EntryVerdict, verdict_on

NOT_JUDGED = "ENT-001"
"""The rule that an entry breaks which loadproof can't judge: no error, but no pass."""

EntryFindings = tuple[Finding, ...]
CheckEntries = Callable[[Submission], Iterator[EntryFindings]]
"""Checks every entry of a submission: what is found in each, in the order of the entries. It may
begin when it is called; the rest of the tree is checked before the first is taken."""


@dataclass(frozen=True)
class Checked:
    """A submission with everything that was found in it."""

    submission: Submission
    choice: Choice
    about_whole: tuple[Finding, ...]
    """Of the tree, its submitters and systems."""
    verdicts: tuple[EntryVerdict, ...]
    """One for each entry, in order."""

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """All of them: about the whole first, then entry by entry."""
        entries = (one for verdict in self.verdicts for one in verdict.findings)
        return (*self.about_whole, *entries)

    @property
    def complete(self) -> bool:
        """Whether every check ran to its end; where one failed, nobody knows what it would say."""
        return not any(one.rule.startswith(OWN) for one in self.findings)

    @property
    def accepted(self) -> bool:
        """Whether there are entries and nothing speaks against any of them."""
        return bool(self.verdicts) and not any(_refuses(one) for one in self.findings)


def _refuses(one: Finding) -> bool:
    return one.severity == "error" or one.rule == NOT_JUDGED


def check_one_by_one(submission: Submission) -> Iterator[EntryFindings]:
    """Every entry, here and now."""
    yield from check_slice(submission, submission.entries())


def check_slice(submission: Submission, entries: Iterable[Entry]) -> Iterator[EntryFindings]:
    """What is found in each of ``entries``, in their order."""
    for entry in entries:
        yield check_entry(Subject(entry, submission.tree, submission.round, submission.layout))


def check(
    submission: Submission,
    choice: Choice = ALL,
    check_entries: CheckEntries = check_one_by_one,
) -> Checked:
    """Check all of it by the rules that ``choice`` asks."""
    in_entries = check_entries(submission)
    about_whole = choice.kept(check_whole(submission))
    failing = {one.where for one in about_whole if one.severity == "error"}
    owners = ((system, one) for system in submission.systems() for one in system.entries)
    return Checked(
        submission=submission,
        choice=choice,
        about_whole=about_whole,
        verdicts=tuple(
            verdict_on(entry, choice.kept(found), choice, system.description_file in failing)
            for (system, entry), found in zip(owners, in_entries, strict=True)
        ),
    )
