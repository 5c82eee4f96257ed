"""Every check of every part of a submission, none of which can stop another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from audit.submission.findings import Finding, finding
from audit.submission.subject import Subject
from audit.submission.tree import Submission

Part = TypeVar("Part")
SubmissionCheck = Callable[[Submission], Iterator[Finding]]
EntryCheck = Callable[[Subject], Iterator[Finding]]

SUBMISSION_CHECKS: tuple[SubmissionCheck, ...] = ()
"""Of the tree as a whole, of submitters and of systems."""
ENTRY_CHECKS: tuple[EntryCheck, ...] = ()
"""Of one entry."""


def check_whole(submission: Submission) -> tuple[Finding, ...]:
    """What is found in the tree apart from its entries."""
    return tuple(
        one for check in SUBMISSION_CHECKS for one in _guarded(check, submission, "the submission")
    )


def check_entry(subject: Subject) -> tuple[Finding, ...]:
    """What is found in one entry, in the order of the checks."""
    name = subject.entry.name
    return tuple(
        replace(one, entry=name) for check in ENTRY_CHECKS for one in _guarded(check, subject, name)
    )


def _guarded(
    check: Callable[[Part], Iterator[Finding]], part: Part, where: str
) -> Iterator[Finding]:
    """The findings of ``check``; one about itself where it fails, after what it found before."""
    try:
        yield from check(part)
    except Exception as error:  # noqa: BLE001 - a defect of one check must not hide the others
        found = f"{type(error).__name__}: {error}"
        yield finding("INT-001", where, found=found, check=check.__name__)
