"""Which benchmarks and scenarios a system brings, and which its type makes it bring."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from audit.submission.files import join
from audit.submission.findings import Finding, Outcome, finding, judged
from audit.submission.subject import Subject
from audit.submission.tree import Entry, Submission


def check_required_scenarios(submission: Submission) -> Iterator[Finding]:
    """Scenarios that the type of a system requires of a benchmark and that it lacks."""
    for system in submission.systems():
        for _, entries in groupby(system.entries, key=lambda entry: entry.benchmark_folder):
            yield from _missing(tuple(entries))


def _missing(entries: tuple[Entry, ...]) -> Iterator[Finding]:
    first = entries[0]
    if first.benchmark is None or not first.ruled:
        return
    brought = {entry.scenario for entry in entries}
    for scenario in first.benchmark.required_scenarios(first.system_type):
        if scenario not in brought:
            folder = join(first.results.rpartition("/")[0], scenario)
            yield finding(
                "STR-033",
                folder,
                expected=scenario,
                benchmark=first.benchmark.name,
                system_type=first.system_type,
            )


def check_place(subject: Subject) -> Iterator[Outcome]:
    """That the round has the entry's benchmark and scenario, for its type of system."""
    entry = subject.entry
    known, named = entry.benchmark is not None, entry.scenario is not None
    folder = entry.results.rpartition("/")[0]
    yield judged(
        known,
        "STR-030",
        folder,
        found=entry.benchmark_folder,
        expected=", ".join(subject.round.benchmarks),
        round=subject.round.name,
    )
    yield judged(
        named,
        "STR-031",
        entry.results,
        found=entry.scenario_folder,
        expected=", ".join(subject.round.scenarios),
    )
    yield from _allowed(subject)


def _allowed(subject: Subject) -> Iterator[Outcome]:
    entry = subject.entry
    if entry.benchmark is None or entry.scenario is None or not entry.system_type:
        return
    if entry.ruled:
        yield judged(
            entry.benchmark.has_scenario(entry.system_type, entry.scenario),
            "STR-032",
            entry.results,
            found=entry.scenario,
            round=subject.round.name,
            benchmark=entry.benchmark.name,
            system_type=entry.system_type,
        )
