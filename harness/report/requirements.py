"""What is said of an acceptance profile below the table: a row for each line of it."""

from __future__ import annotations

from collections.abc import Iterator

from audit.requirements import Acceptance, Line
from harness.report.width import fitted

INDENT = "  "
HEADINGS = ("scenario", "requirement", "limit", "measured", "margin", "")


def requirement_lines(acceptance: Acceptance | None) -> Iterator[str]:
    """The verdict, then a table; nothing where no profile was asked for."""
    if acceptance is None:
        return
    name = acceptance.profile.name
    if not acceptance.lines:
        others = ", ".join(acceptance.not_judged)
        yield f"Requirements of {name}: NOT MET, no line is about what was measured, only {others}"
        return
    failed = sum(not line.passed for line in acceptance.lines)
    count = len(acceptance.lines)
    yield f"Requirements of {name}: " + (f"NOT MET, {failed} of {count} fail" if failed else "met")
    rows = [_row(line) for line in acceptance.lines]
    table = fitted(rows, HEADINGS, keys=2, indent=len(INDENT))
    yield from (f"{INDENT}{row}".rstrip() for row in table.splitlines())
    if acceptance.not_judged:
        yield f"  Its lines about {', '.join(acceptance.not_judged)} were not judged here."


def _row(line: Line) -> tuple[str, ...]:
    sign = "≥" if line.quantity.startswith("min") else "≤"
    margin = "" if line.margin_percent is None else f"{line.margin_percent:+.1f} %"
    return (
        line.scenario or "every scenario",
        line.quantity,
        f"{sign} {line.limit:g}",
        "not measured" if line.measured is None else f"{line.measured:.5g}",
        margin,
        "PASS" if line.passed else "FAIL",
    )
