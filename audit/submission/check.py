"""Checking a whole submission: what is found, and a verdict on every entry.

The work is a list of tasks that need nothing from each other, so that they can be done anywhere and
in any order. The result is the same however they were shared out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain, islice
from typing import Any

from audit.submission.checking import check_whole, examine
from audit.submission.choice import ALL, OWN, Choice
from audit.submission.copies import with_copies
from audit.submission.findings import Finding, shown
from audit.submission.subject import Subject
from audit.submission.tree import Entry, Submission
from audit.submission.verdict import EntryVerdict, Examined, verdict_on

NOT_JUDGED = "ENT-001"
"""The rule that an entry breaks which loadproof can't judge: no error, but no pass."""

SLICE = 8
"""Entries that are checked together: so few that processes can share them out evenly."""

Task = Callable[[], Any]
Run = Callable[[Sequence[Task]], Iterator[Any]]
"""Calls every task, anywhere and in any order; what each returned, in the order of the tasks."""


def one_by_one(tasks: Sequence[Task]) -> Iterator[Any]:
    """Every task, here and now."""
    return (task() for task in tasks)


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
    def refused(self) -> bool:
        """Whether there is no entry, or anything speaks against one by the rules asked."""
        return not self.verdicts or any(_refuses(one) for one in self.findings)

    @property
    def accepted(self) -> bool:
        """Whether it may be submitted: never known where some rules alone were asked."""
        return not self.refused and not self.choice.only


def _refuses(one: Finding) -> bool:
    return one.severity == "error" or one.rule == NOT_JUDGED


def check(submission: Submission, choice: Choice = ALL, run: Run = one_by_one) -> Checked:
    """Check all of it by the rules that ``choice`` asks.

    Some entries are examined before ``run`` is called: what is loaded for them is there for every
    process that it splits off.
    """
    slices = _slices(submission)
    first = examine_all(submission, next(slices, ()))
    whole = partial(check_whole, submission)
    outcomes = run([whole, *(partial(examine_all, submission, entries) for entries in slices)])
    about_whole = choice.kept(next(outcomes))
    examined = [*first, *chain.from_iterable(outcomes)]
    judged = with_copies(tuple(submission.entries()), examined)
    verdicts = tuple(_verdicts(submission, choice, about_whole, iter(judged)))
    return Checked(submission, choice, about_whole, verdicts)


def examine_all(submission: Submission, entries: Iterable[Entry]) -> list[Examined]:
    """What the files of each of ``entries`` give, in their order."""
    tree, round_, layout = submission.tree, submission.round, submission.layout
    return [examine(Subject(entry, tree, round_, layout)) for entry in entries]


def _verdicts(
    submission: Submission,
    choice: Choice,
    about_whole: Iterable[Finding],
    examined: Iterator[Examined],
) -> Iterator[EntryVerdict]:
    errors = {one.where for one in about_whole if one.severity == "error"}
    spoilt = {folder for where in errors for folder in _upwards(where)}
    for system in submission.systems():
        for entry in system.entries:
            own = (system.description_file, entry.results, entry.measurements, entry.compliance)
            spoils = any(shown(path) in spoilt for path in own)
            yield verdict_on(entry, next(examined), choice, spoils)


def _upwards(path: str) -> Iterator[str]:
    """``path``, and every folder that holds it."""
    while path:
        yield path
        path = path.rpartition("/")[0]


def _slices(submission: Submission) -> Iterator[tuple[Entry, ...]]:
    entries = submission.entries()
    while some := tuple(islice(entries, SLICE)):
        yield some
