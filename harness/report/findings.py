"""What is said of findings below a table: a line for each kind, the gravest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from audit.findings import Finding

MOST_FINDINGS = 12


def finding_lines(findings: Sequence[Finding], whole: str) -> Iterator[str]:
    """Errors, then warnings, at most :data:`MOST_FINDINGS` lines; ``whole`` is where all stand."""
    shown = list(_grouped(findings, whole))
    yield from shown[:MOST_FINDINGS]
    if len(shown) > MOST_FINDINGS:
        yield f"… and {len(shown) - MOST_FINDINGS} more kinds of finding in {whole}."


def why_not_lines(reasons: Sequence[str]) -> Iterator[str]:
    """A heading and the reasons against a comparison with MLPerf; nothing without one."""
    if reasons:
        yield "Not comparable with MLPerf:"
        yield from (f"  - {reason}" for reason in reasons)


def _grouped(findings: Sequence[Finding], whole: str) -> Iterator[str]:
    """Errors, then warnings: the first of each rule and how many more there are. Notes only say
    why a run is not comparable, which is said once for all of them."""
    for severity in ("error", "warning"):
        rules: dict[str, list[Finding]] = {}
        for finding in findings:
            if finding.severity == severity:
                rules.setdefault(finding.rule, []).append(finding)
        for first, *more in rules.values():
            fix = f" → {first.fix}" if first.fix else ""
            like = f" ({len(more)} more like it in {whole})" if more else ""
            place = "" if first.sentence.startswith(first.where) else f"{first.where}: "
            yield f"{severity}: {place}{first.sentence}{fix}{like}"
