"""Every check of every part of a submission, none of which can stop another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from audit.submission.checks.accuracy import check_accuracy
from audit.submission.checks.compliance import check_compliance
from audit.submission.checks.contents import check_contents
from audit.submission.checks.counterparts import check_counterparts
from audit.submission.checks.inferred import check_scenario
from audit.submission.checks.judged import is_left_open
from audit.submission.checks.measurements import check_measurements
from audit.submission.checks.names import check_blanks, check_names
from audit.submission.checks.performance import check_performance
from audit.submission.checks.power import check_power
from audit.submission.checks.scenarios import check_benchmarks, check_place
from audit.submission.checks.system import check_systems
from audit.submission.checks.whole import check_divisions, check_presence, check_submitters
from audit.submission.files import Tree
from audit.submission.findings import Finding, Outcome, finding
from audit.submission.measured import Measured, measured
from audit.submission.subject import Subject
from audit.submission.tree import Submission
from audit.submission.verdict import Examined

Part = TypeVar("Part")
Told = TypeVar("Told")
SubmissionCheck = Callable[[Submission], Iterator[Outcome]]
EntryCheck = Callable[[Subject], Iterator[Outcome]]
"""A check yields every breach, and may yield what holds: see :func:`findings.judged`."""

SUBMISSION_CHECKS: tuple[SubmissionCheck, ...] = (
    check_presence,
    check_divisions,
    check_submitters,
    check_counterparts,
    check_names,
    check_blanks,
    check_benchmarks,
    check_systems,
)
"""Of the tree as a whole, of submitters and of systems."""
ENTRY_CHECKS: tuple[EntryCheck, ...] = (
    is_left_open,
    check_place,
    check_contents,
    check_measurements,
    check_performance,
    check_scenario,
    check_accuracy,
    check_compliance,
    check_power,
)
"""Of one entry."""


def check_whole(submission: Submission) -> tuple[Finding, ...]:
    """What is found in the tree apart from its entries."""
    outcomes = _outcomes(SUBMISSION_CHECKS, submission, "the submission")
    return tuple(
        one for one in outcomes if isinstance(one, Finding) and not _unknown(one, submission.tree)
    )


def check_entry(subject: Subject) -> tuple[Finding, ...]:
    """What is found in one entry, in the order of the checks."""
    name = subject.entry.name
    return tuple(
        replace(one, entry=name)
        for one in _outcomes(ENTRY_CHECKS, subject, name)
        if isinstance(one, Finding) and not _unknown(one, subject.tree)
    )


def explain_entry(subject: Subject) -> tuple[Outcome, ...]:
    """What is found in one entry and what holds, in the order of the checks."""
    name = subject.entry.name
    return tuple(
        replace(one, entry=name) if isinstance(one, Finding) else one
        for one in _outcomes(ENTRY_CHECKS, subject, name)
        if not _unknown(one, subject.tree)
    )


def examine(subject: Subject) -> Examined:
    """What is found in one entry, and what it measured."""
    name = subject.entry.name
    row = tuple(_guarded(_row, subject, name))
    failed = tuple(replace(one, entry=name) for one in row if isinstance(one, Finding))
    told = next((one for one in row if isinstance(one, Measured)), None)
    found = (*check_entry(subject), *failed)
    return Examined(found, told, subject.logs)


def _unknown(one: Outcome, tree: Tree) -> bool:
    """Whether it tells of what lies in a folder that nobody could look into."""
    return tree.hides(one.where.rpartition("/")[0])


def _row(subject: Subject) -> Iterator[Measured]:
    yield measured(subject)


def _outcomes(
    checks: Iterable[Callable[[Part], Iterator[Outcome]]], part: Part, where: str
) -> Iterator[Outcome]:
    for check in checks:
        yield from _guarded(check, part, where)


def _guarded(
    check: Callable[[Part], Iterator[Told]], part: Part, where: str
) -> Iterator[Told | Finding]:
    """What ``check`` tells; a finding about itself where it fails, after what it told before."""
    try:
        yield from check(part)
    except Exception as error:  # noqa: BLE001 - a defect of one check must not hide the others
        found = f"{type(error).__name__}: {error}"
        yield finding("INT-001", where, found=found, check=check.__name__)
