"""What ``loadproof compare`` prints: a row for each scenario of each result, and the reasons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_uppercase

from audit.comparison.changes import Changed
from audit.comparison.comparing import CAVEAT, ResultComparison, ScenarioComparison
from audit.comparison.difference import CONFIDENCE, METHOD, Difference
from audit.documents import NOT_MLPERF
from audit.result import Measurement
from harness.report.quantity import amount, heading, run_count
from harness.report.sentences import sentences
from harness.report.width import fitted

MOST_CHANGES = 12


def render(comparisons: Sequence[ResultComparison]) -> str:
    """Which results, the table, and what else there is to say; no trailing newline."""
    names = list(_names(len(comparisons) + 1))
    results = [comparisons[0].first, *(one.second for one in comparisons)]
    legend = [
        f"{name}  {result.document['id']}  {result.path}"
        for name, result in zip(names, results, strict=True)
    ]
    interval = f"{100 * CONFIDENCE:g} % interval"
    headings = ("scenario", "results", "metric", "first", "other", "change", interval, "verdict")
    rows = [
        _row(f"{names[0]} → {name}", scenario)
        for name, one in zip(names[1:], comparisons, strict=True)
        for scenario in one.scenarios
    ]
    table = fitted(rows, headings, keys=2)
    below = [
        line
        for name, one in zip(names[1:], comparisons, strict=True)
        for line in _below(f"{names[0]} → {name}", one)
    ]
    embedded = [name for name, one in zip(names, results, strict=True) if one.document["embedded"]]
    if embedded:
        below.append(f"Embedded or simulated, so {NOT_MLPERF}: {', '.join(embedded)}.")
    return "\n\n".join(["\n".join(legend), table, sentences([*below, f"By {METHOD}; {CAVEAT}."])])


def _names(count: int) -> Iterator[str]:
    """A, B, … Z, A1, B1, …"""
    for number in range(count):
        turn, letter = divmod(number, len(ascii_uppercase))
        yield f"{ascii_uppercase[letter]}{turn or ''}"


def _row(pair: str, one: ScenarioComparison) -> tuple[str, ...]:
    known = one.first or one.second
    metric = heading(known.name, known.unit, known.percentile) if known else ""
    values = (_value(one.first), _value(one.second))
    return (one.scenario, pair, metric, *values, *_change(one.difference), one.verdict)


def _value(measured: Measurement | None) -> str:
    if measured is None:
        return "none"
    return f"{amount(measured.median, measured.unit)} ({run_count(len(measured.values))})"


def _change(difference: Difference | None) -> tuple[str, str]:
    if difference is None:
        return "", ""
    interval = difference.interval
    if interval is None:
        return f"{difference.percent:+.1f} %", ""
    return f"{difference.percent:+.1f} %", f"{interval.low:+.1f} to {interval.high:+.1f} %"


def _below(pair: str, one: ResultComparison) -> Iterator[str]:
    for scenario in one.scenarios:
        if scenario.why_not:
            yield f"{pair} {scenario.scenario} is not comparable:"
            yield from (f"  - {reason}" for reason in scenario.why_not)
        yield from (f"{pair} {scenario.scenario}: {note}" for note in scenario.notes)
        if scenario.verdict == "not enough runs":
            yield f"{pair} {scenario.scenario}: a verdict needs {scenario.needed} runs of each"
    if one.changes:
        yield f"{pair}, what else differs:"
        yield from _listed(one.changes, "--json")


def changes_lines(changes: Sequence[Changed]) -> Iterator[str]:
    """What has changed on a machine since a result was measured; that nothing has, if so."""
    if not changes:
        yield "Machine and packages are what they were when the result was measured."
        return
    yield "Changed since the result was measured:"
    yield from _listed(changes, "the comparison's JSON")


def _listed(changes: Sequence[Changed], whole: str) -> Iterator[str]:
    yield from (f"  - {change}" for change in changes[:MOST_CHANGES])
    if len(changes) > MOST_CHANGES:
        yield f"  … and {len(changes) - MOST_CHANGES} more in {whole}"
