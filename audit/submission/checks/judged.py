"""Saying which entries loadproof leaves open, so that none passes because nobody looked."""

from __future__ import annotations

from collections.abc import Iterator

from audit.submission.findings import Finding, finding
from audit.submission.subject import Subject
from audit.submission.tree import Entry
from audit.submission.verdict import is_judged


def is_left_open(subject: Subject) -> Iterator[Finding]:
    """Whether the entry is one that loadproof can't judge."""
    entry = subject.entry
    if not is_judged(entry):
        yield finding("ENT-001", entry.results, found=_why(entry, subject.round.name))


def _why(entry: Entry, round_name: str) -> str:
    if entry.endpoints:
        return "it was measured by MLCommons' endpoints harness, not by LoadGen"
    if entry.benchmark is None:
        return f"{round_name} has no benchmark {entry.benchmark_folder!r}"
    if entry.scenario is None:
        return f"{round_name} has no scenario {entry.scenario_folder!r}"
    return f"loadproof doesn't score {entry.benchmark.name}"
