"""Which rules a check asks: all, unless the user names some alone or leaves some out.

A rule that guards the checker itself is always asked: nobody may switch off that a check failed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from audit.submission.findings import Finding, rule
from datasets.errors import UsageError

OWN = "INT-"
"""What the ids of the rules about the checker itself begin with."""


@dataclass(frozen=True)
class Choice:
    """Rules by their ids, each in the catalogue's own writing."""

    only: tuple[str, ...] = ()
    """Where not empty, no other rule is asked."""
    ignored: tuple[str, ...] = ()

    def asks(self, id_: str) -> bool:
        """Whether a breach of rule ``id_`` counts."""
        if id_.startswith(OWN):
            return True
        return id_ not in self.ignored and (not self.only or id_ in self.only)

    def kept(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Those of the rules that are asked, in order."""
        return tuple(one for one in findings if self.asks(one.rule))


ALL = Choice()


def choose(only: Sequence[str], ignored: Sequence[str]) -> Choice:
    """The choice by the names that the user gave, in any case. UsageError for one that is no rule,
    for one that can't be left out, and for one that is both asked and ignored."""
    choice = Choice(tuple(rule(one).id for one in only), tuple(rule(one).id for one in ignored))
    for id_ in choice.ignored:
        if id_.startswith(OWN):
            raise UsageError(f"{id_} can't be ignored: it says that a check itself failed.")
        if id_ in choice.only:
            raise UsageError(f"{id_} is both the rule to ask and one to ignore; name it once.")
    return choice
