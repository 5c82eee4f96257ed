"""One tree for each rule that breaks it, and no other: a good tree and a small change.

A module of this package holds the changes for one part of a submission, each marked with its rule;
whatever is marked is found, so a new rule needs nothing but a new function.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass

from audit.submission.checking import EntryCheck
from tests.audit.submission.trees import Change

DEFAULT_ROUND = "v6.1"


@dataclass(frozen=True)
class Negative:
    """A change that makes a good tree break one rule."""

    rule: str
    change: Change
    round_name: str
    division: str
    submitter: str | None
    also: tuple[str, ...]
    """Rules that can't but be broken with it."""
    checks: tuple[EntryCheck, ...]
    """What is checked beside the usual."""

    @property
    def name(self) -> str:
        return f"{self.rule}-{self.change.__name__}"


_NEGATIVES: list[Negative] = []


def breaks(
    rule: str,
    *,
    round_name: str = DEFAULT_ROUND,
    division: str = "closed",
    submitter: str | None = None,
    also: tuple[str, ...] = (),
    checks: tuple[EntryCheck, ...] = (),
) -> Callable[[Change], Change]:
    """Mark a change as one that breaks ``rule``; ``submitter`` is the one whose tree is checked."""

    def mark(change: Change) -> Change:
        _NEGATIVES.append(Negative(rule, change, round_name, division, submitter, also, checks))
        return change

    return mark


def negatives() -> tuple[Negative, ...]:
    """All of them."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return tuple(_NEGATIVES)
