"""What ``loadproof check --explain`` prints: one entry's rules as they were asked, one after the
other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from audit.submission.explain import Explained
from audit.submission.findings import Finding, Outcome, rules, shown
from audit.submission.measured import Measured
from audit.submission.tree import Entry
from harness.report.breaking import broken
from harness.report.sentences import sentences
from harness.report.submission import told
from harness.report.width import fitted, terminal_columns

HEADINGS = ("rule", "holds", "what is asked", "found", "demanded", "where")
_WORDS = (2, 3, 4, 5)
_TABLE_COLUMNS = 120
"""Of a terminal on which four columns of words are still legible side by side."""


def render(explained: Explained) -> str:
    """Title, result, a line for each rule, broken ones first, and what to do about those."""
    entry = explained.verdict.entry
    broken_first = sorted(explained.outcomes, key=lambda one: not isinstance(one, Finding))
    table = _told_as_fits([_row(one, entry) for one in broken_first])
    title = f"{shown(entry.name)}: {explained.verdict.status}"
    below = sentences(_below(explained))
    return "\n\n".join(one for one in (title, _result(explained), table, below) if one)


def _told_as_fits(rows: Sequence[tuple[str, ...]]) -> str:
    """A table, or on a terminal that is too narrow for one a block of lines for each rule."""
    columns = terminal_columns()
    if columns is None or columns >= _TABLE_COLUMNS:
        return fitted(rows, HEADINGS, _WORDS)
    return "\n".join(line for row in rows for line in _block(row, columns))


def _block(row: tuple[str, ...], columns: int) -> Iterator[str]:
    yield broken("  ".join(row[:3]), columns, "  ")
    for heading, cell in zip(HEADINGS[3:], row[3:], strict=True):
        if cell:
            yield broken(f"  {heading}: {cell}", columns, "    ")


def _result(explained: Explained) -> str:
    told = explained.verdict.measured
    return "" if told is None else "\n".join(_measured(told))


def _measured(told: Measured) -> Iterator[str]:
    value = "nothing that can be read" if told.value is None else f"{told.value:.6g} {told.unit}"
    inferred = f", inferred from {told.inferred_from}" if told.inferred_from else ""
    yield f"result: {value} ({told.metric or 'no metric'}{inferred})"
    if told.accuracy is not None:
        yield f"accuracy: {told.accuracy:g} ({told.accuracy_metric})"
    if told.power is not None:
        yield f"power: {told.power.value:.6g} {told.power.unit}"


def _row(one: Outcome, entry: Entry) -> tuple[str, ...]:
    line = "" if one.line is None else f":{one.line}"
    holds = one.severity if isinstance(one, Finding) else "yes"
    found, expected = shown(one.found), shown(one.expected)
    place = shown(_below_entry(one.where, entry)) + line
    return (one.rule, holds, rules()[one.rule].title, found, expected, place)


def _below_entry(path: str, entry: Entry) -> str:
    """``path`` as it is called in the entry's folder of its kind, or in the submitter's."""
    for folder in (entry.results, entry.compliance, entry.measurements):
        if path.startswith(f"{folder}/"):
            return path.removeprefix(f"{folder}/")
    return path.removeprefix(f"{entry.division}/{entry.submitter}/")


def _below(explained: Explained) -> Iterator[str]:
    for one in explained.outcomes:
        if isinstance(one, Finding):
            yield f"{one.severity} {one.rule}: {told(one)} → {one.fix}"
