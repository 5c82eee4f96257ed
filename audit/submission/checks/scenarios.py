"""Which benchmarks and scenarios a system brings, and which its type makes it bring."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from audit.rules import BenchmarkRules, Round
from audit.submission.files import join
from audit.submission.findings import Finding, Outcome, finding, judged
from audit.submission.subject import Subject
from audit.submission.tree import Entry, Submission, System


def check_benchmarks(submission: Submission) -> Iterator[Finding]:
    """That the round has each benchmark, and that no scenario is missing which it requires."""
    for system in submission.systems():
        yield from _named_twice(system)
        for _, entries in groupby(system.entries, key=lambda entry: entry.benchmark_folder):
            yield from _benchmark(submission.round, tuple(entries))


def _named_twice(system: System) -> Iterator[Finding]:
    """Folders whose names stand for one benchmark, where the round decides what they hold."""
    folders: dict[str, dict[str, None]] = {}
    for entry in system.entries:
        if entry.benchmark and entry.ruled:
            folder = entry.results.rpartition("/")[0]
            folders.setdefault(entry.benchmark.name, {})[folder] = None
    for name, (first, *others) in folders.items():
        for folder in others:
            yield finding("STR-026", folder, found=first, expected=name)


def _benchmark(round_: Round, entries: tuple[Entry, ...]) -> Iterator[Finding]:
    first, known = entries[0], ", ".join(round_.benchmarks)
    folder = first.results.rpartition("/")[0]
    if first.benchmark is None:
        found = first.benchmark_folder
        yield finding("STR-030", folder, found=found, expected=known, round=round_.name)
    elif first.ruled:
        yield from _missing(first.benchmark, folder, entries)


def _missing(
    benchmark: BenchmarkRules, folder: str, entries: tuple[Entry, ...]
) -> Iterator[Finding]:
    system_type, brought = entries[0].system_type, {entry.scenario for entry in entries}
    for scenario in benchmark.required_scenarios(system_type):
        if scenario not in brought:
            yield finding(
                "STR-033",
                join(folder, scenario),
                expected=scenario,
                benchmark=benchmark.name,
                system_type=system_type,
            )


def check_place(subject: Subject) -> Iterator[Outcome]:
    """That the entry's scenario is one, and that the round has it for its type of system."""
    entry = subject.entry
    yield judged(
        entry.scenario is not None,
        "STR-031",
        entry.results,
        found=entry.scenario_folder,
        expected=", ".join(subject.round.scenarios),
    )
    yield from _allowed(subject)


def _allowed(subject: Subject) -> Iterator[Outcome]:
    entry = subject.entry
    if entry.benchmark and entry.scenario and entry.system_type and entry.ruled:
        yield judged(
            entry.benchmark.has_scenario(entry.system_type, entry.scenario),
            "STR-032",
            entry.results,
            found=entry.scenario,
            round=subject.round.name,
            benchmark=entry.benchmark.name,
            system_type=entry.system_type,
        )
