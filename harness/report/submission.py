"""What ``loadproof check`` prints: a table by submitter and system, then what is wrong, rule by
rule."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from audit.submission.check import Checked
from audit.submission.files import join
from audit.submission.findings import Finding, shown
from audit.submission.other_round import other_round
from audit.submission.summary import Tally, tallies
from harness.report.sentences import sentences
from harness.report.width import fitted

HEADINGS = (
    "system",
    "entries",
    "valid",
    "invalid",
    "not\njudged",
    "errors",
    "warnings",
    "notes",
)
_LINE = re.compile(r":\d")
_NAMES = (0,)
MOST_PLACES = 3
"""Of one rule that are named; the rest is counted."""


def render(checked: Checked) -> str:
    """Title, table, findings and verdict, as text without a trailing newline."""
    submission = checked.submission
    title = f"{shown(str(submission.tree.root))} · round {submission.round.name}{_asked(checked)}"
    rows = [_row(one) for one in tallies(checked)]
    table = fitted(rows, HEADINGS, _NAMES) if rows else ""
    parts = (title, other_round(checked), table, sentences(_below(checked)))
    return "\n\n".join(part for part in parts if part)


def _asked(checked: Checked) -> str:
    """Whatever was left out: no verdict may hide that it covers less than all."""
    choice, submitter = checked.choice, checked.submission.asked
    return "".join(
        (
            f" · submitter {submitter} alone" if submitter is not None else "",
            f" · only {', '.join(choice.only)}" if choice.only else "",
            f" · ignored: {', '.join(choice.ignored)}" if choice.ignored else "",
        )
    )


def _row(tally: Tally) -> tuple[str, ...]:
    owner = tally.owner
    statuses = [tally.statuses[one] for one in ("valid", "invalid", "not judged")]
    severities = [tally.severities[one] for one in ("error", "warning", "note")]
    name = join(owner.division, owner.submitter, owner.system) or "(the tree)"
    whole = " (as a whole)" if owner.submitter and not owner.system else ""
    return (f"{name}{whole}", *map(str, (tally.entries, *statuses, *severities)))


def _below(checked: Checked) -> Iterator[str]:
    for severity in ("error", "warning"):
        by_rule: dict[str, list[Finding]] = {}
        for one in checked.findings:
            if one.severity == severity:
                by_rule.setdefault(one.rule, []).append(one)
        for found in by_rule.values():
            yield from _lines(found)
    yield from _notes(checked)
    yield _verdict(checked)


def _notes(checked: Checked) -> Iterator[str]:
    """Notes refuse nothing and may be many: counted by their rules."""
    counted = Counter(one.rule for one in checked.findings if one.severity == "note")
    if counted:
        rules = ", ".join(f"{count} {rule}" for rule, count in counted.items())
        yield f"notes: {rules}; --json FILE lists them"


def _lines(found: Sequence[Finding]) -> Iterator[str]:
    """The first breach of a rule in full, where else it was found, and how often."""
    first, *more = found
    yield f"{first.severity} {first.rule}: {told(first)} → {first.fix}"
    for one in more[: MOST_PLACES - 1]:
        yield f"  also: {told(one)}"
    if len(more) >= MOST_PLACES:
        yield f"  and {len(more) - MOST_PLACES + 1} more; --json FILE lists all"


def told(one: Finding) -> str:
    """The sentence with the place, which most sentences name themselves, some with the line."""
    before, named, after = one.sentence.partition(one.where)
    if not named:
        return f"{one.place}: {one.sentence}"
    return one.sentence if _LINE.match(after) else f"{before}{one.place}{after}"


def _verdict(checked: Checked) -> str:
    if not checked.verdicts:
        return "There is no entry here: nothing was checked that could be submitted."
    if not checked.complete:
        return "A check failed itself (INT-001): what it would have said is not known."
    if checked.refused:
        return "This can't be submitted as it is; loadproof rules ID tells more about a rule."
    if checked.choice.only:
        return (
            "By the rules that were asked, nothing speaks against this submission; whether it may "
            "be submitted, they don't tell."
        )
    if checked.choice.ignored:
        return "By the rules that were asked, nothing speaks against this submission."
    return "Nothing speaks against this submission."
