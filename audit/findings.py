"""Findings: what an audit has to say, one at a time.

A finding names the rule that was broken, where, what was found, what was expected and what to do.
The wording of every rule is data (``findings.json``), so that no sentence is made twice and a rule
can be listed without running anything. Only an error fails a gate.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from audit.brevity import shortened

Severity = Literal["error", "warning", "note"]

_RULES = Path(__file__).parent / "findings.json"


@dataclass(frozen=True)
class Rule:
    """One rule: what it is about, how grave a breach is, and the words for it."""

    id: str
    severity: Severity
    gate: str
    """The gate that an error of this rule fails."""
    sentence: str
    fix: str


@dataclass(frozen=True)
class Change:
    """The one LoadGen setting to change, its value in the run and the one the log suggests."""

    setting: str
    """As user.conf names it: ``*.Server.target_qps``."""
    present: float | None
    suggested: float


@dataclass(frozen=True)
class Finding:
    """One breach of one rule."""

    rule: str
    severity: Severity
    gate: str
    where: str
    """A file, with its line where there is one, or a run."""
    sentence: str
    found: str
    expected: str
    fix: str
    change: Change | None = None

    def document(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "rule": self.rule,
            "severity": self.severity,
            "where": self.where,
            "sentence": self.sentence,
            "found": self.found,
            "expected": self.expected,
            "fix": self.fix,
            "change": asdict(self.change) if self.change else None,
        }


@cache
def rules() -> Mapping[str, Rule]:
    """Every rule by its id."""
    return {id_: Rule(id=id_, **entry) for id_, entry in _table()["rules"].items()}


@cache
def gates() -> Mapping[str, str]:
    """Every gate by its id, with what holds where it passes, in the order of judging."""
    named: Mapping[str, str] = _table()["gates"]
    return named


@cache
def _table() -> Mapping[str, Any]:
    table: Mapping[str, Any] = json.loads(_RULES.read_text("utf-8"))
    return table


def finding(
    rule: str,
    where: str,
    *,
    found: object = "",
    expected: object = "",
    change: Change | None = None,
    **facts: object,
) -> Finding:
    """A finding of ``rule`` at ``where``; ``facts`` fill the places in the rule's wording."""
    known = rules()[rule]
    facts = {"found": found, "expected": expected, **facts}
    places = {"where": where, **{name: shortened(fact) for name, fact in facts.items()}}
    if change is not None:
        places |= {
            "setting": change.setting,
            "present": "unknown" if change.present is None else f"{change.present:.10g}",
            "suggested": f"{change.suggested:.10g}",
        }
    return Finding(
        rule=rule,
        severity=known.severity,
        gate=known.gate,
        where=where,
        sentence=known.sentence.format_map(places),
        found=places["found"],
        expected=places["expected"],
        fix=known.fix.format_map(places),
        change=change,
    )


def errors(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Only those that fail a gate."""
    return tuple(one for one in findings if one.severity == "error")
