"""Findings of a submission check, and the catalogue of rules that they break.

The catalogue (``rules/``, a file for each part of a submission) holds every word: a rule can be
listed without checking anything, and no sentence is made twice.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from audit.brevity import shortened
from datasets.errors import UsageError

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True)
class Rule:
    """One rule of a submission."""

    id: str
    """``PERF-004``: the part of the submission, and a number that is never given again."""
    severity: Severity
    title: str
    """What holds where the rule is kept."""
    sentence: str
    """What a breach says; ``{name}`` stands for the facts of the finding."""
    fix: str
    section: str
    """The part of MLPerf's submission or inference rules that it stands for."""
    stands_for: tuple[str, ...] = ()
    """Rules of the audit whose findings are breaches of it, told in the audit's words."""
    file: str = ""
    """The file beside the detail log that a breach is about; empty where it is the log."""
    shows: tuple[str, ...] = ()
    """Keys of the detail log that are shown where it holds."""
    demands: str = ""
    """What is shown beside them as demanded; ``{name}`` stands for a number of the round."""


@dataclass(frozen=True)
class Finding:
    """One breach of one rule."""

    rule: str
    severity: Severity
    where: str
    """The file or folder, relative to the tree's root."""
    line: int | None
    sentence: str
    found: str
    expected: str
    fix: str
    entry: str = ""
    """The entry it was found for; empty where it is about no single one."""

    @property
    def place(self) -> str:
        """``file:line``; the file or folder alone where no line is meant."""
        return self.where if self.line is None else f"{self.where}:{self.line}"

    def document(self) -> dict[str, Any]:
        """The JSON form."""
        return asdict(self)


class Kept(NamedTuple):
    """One rule that was looked at and holds, with its numbers: what ``--explain`` shows."""

    rule: str
    where: str
    line: int | None
    found: str
    expected: str


Outcome = Finding | Kept
"""What a check yields: every breach, and whatever holds that is worth showing."""


_MOST_NEAR = 3
"""Rules that are named where there is none of a name."""
_MOST_SHOWN = 40
"""Characters of such a name."""


@cache
def rules() -> Mapping[str, Rule]:
    """Every rule by its id, in order."""
    return {
        id_: Rule(id=id_, **{key: _tuple(value) for key, value in entry.items()})
        for file in sorted((Path(__file__).parent / "rules").glob("*.json"))
        for id_, entry in _table(file).items()
    }


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _table(file: Path) -> dict[str, Any]:
    table: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return table


def rule(id_: str) -> Rule:
    """The rule called ``id_``, in any case; UsageError names the known ones near it."""
    known = rules()
    if id_.upper() not in known:
        near = get_close_matches(id_.upper(), known, n=_MOST_NEAR, cutoff=0.0)
        raise UsageError(
            f"There is no rule {id_[:_MOST_SHOWN]!r}; near it are {', '.join(sorted(near))}, and "
            "`loadproof rules` lists all."
        )
    return known[id_.upper()]


def finding(
    id_: str,
    where: str,
    *,
    line: int | None = None,
    found: object = "",
    expected: object = "",
    **facts: object,
) -> Finding:
    """A breach of rule ``id_`` at ``where``; ``facts`` fill the places in the rule's wording."""
    broken = rules()[id_]
    facts = {"found": found, "expected": expected, **facts}
    places = {"where": shown(where), **{name: _printed(name, fact) for name, fact in facts.items()}}
    return Finding(
        rule=id_,
        severity=broken.severity,
        where=places["where"],
        line=line,
        sentence=broken.sentence.format_map(places),
        found=places["found"],
        expected=places["expected"],
        fix=broken.fix.format_map(places),
    )


def _printed(name: str, fact: object) -> str:
    """A fact of a finding; what the audit worded has short values already."""
    return shown(str(fact) if name in _WORDED else shortened(fact))


_WORDED = ("sentence", "remedy")


def shown(text: str) -> str:
    """``text`` as it can be printed anywhere: a name of a file may hold bytes that are no text."""
    if text.isprintable():
        return text
    printable = text.encode("utf-8", errors="backslashreplace").decode("utf-8")
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in printable)


def judged(
    holds: bool,
    id_: str,
    where: str,
    *,
    line: int | None = None,
    found: object = "",
    expected: object = "",
    **facts: object,
) -> Finding | Kept:
    """The breach of rule ``id_`` at ``where``, or what was found where it ``holds``."""
    if holds:
        return Kept(id_, where, line, shortened(found), shortened(expected))
    return finding(id_, where, line=line, found=found, expected=expected, **facts)
