"""What must have its like elsewhere: results and descriptions, measurements and tests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from audit.submission.files import Tree, join
from audit.submission.findings import Finding, finding
from audit.submission.tree import Submission, Submitter, System

_DEPTH = 3
"""System, benchmark and scenario."""
_RESULTLESS = {"measurements": "STR-023", "compliance": "STR-024"}


def check_counterparts(submission: Submission) -> Iterator[Finding]:
    """Both directions, of every submitter."""
    for submitter in submission.submitters:
        for system in submitter.systems:
            yield from _description(submission.tree, submitter, system)
            yield from _entries(submission.tree, submitter, system)
            yield from _twice(system)
        for part, rule in _RESULTLESS.items():
            if part in submission.layout.submitter_folders:
                yield from _resultless(submission.tree, submitter.folder, part, rule)


def _description(tree: Tree, submitter: Submitter, system: System) -> Iterator[Finding]:
    results = join(submitter.folder, "results", system.name)
    if tree.kind(system.description_file) in (None, "folder"):
        yield finding("STR-020", system.description_file, found=results)
    elif not tree.is_folder(results) and not tree.hides(results):
        yield finding("STR-021", system.description_file, expected=results)


def _entries(tree: Tree, submitter: Submitter, system: System) -> Iterator[Finding]:
    """A folder of results that leads to no entry."""
    results = join(submitter.folder, "results", system.name)
    benchmarks = [join(results, name) for name in tree.folders(results)]
    hollow = [one for one in benchmarks if tree.listed(one) and not tree.folders(one)]
    if not benchmarks and tree.listed(results):
        hollow.append(results)
    for folder in hollow:
        yield finding("STR-022", folder)


def _twice(system: System) -> Iterator[Finding]:
    """A scenario that has several folders, written in other cases."""
    folders = defaultdict(list)
    for entry in system.entries:
        folders[entry.benchmark_folder, entry.scenario_folder.lower()].append(entry)
    for same in folders.values():
        for entry in same[1:]:
            yield finding("STR-025", entry.results, found=same[0].results)


def _resultless(tree: Tree, submitter: str, part: str, rule: str) -> Iterator[Finding]:
    """The highest folders of a part that have no like in results, whatever their case."""
    pairs = [(join(submitter, part), [join(submitter, "results")])]
    for _ in range(_DEPTH):
        pairs = [(folder, likes) for folder, likes in pairs if not any(map(tree.hides, likes))]
        below = [one for folder, likes in pairs for one in _below(tree, folder, likes)]
        for folder, likes in below:
            if not likes:
                yield finding(rule, folder)
        pairs = [(folder, likes) for folder, likes in below if likes]


def _below(tree: Tree, folder: str, likes: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Each folder in ``folder``, with those of its name in the folders that are like it."""
    named = defaultdict(list)
    for like in likes:
        for name in tree.folders(like):
            named[name.lower()].append(join(like, name))
    for name in tree.folders(folder):
        yield join(folder, name), named.get(name.lower(), [])
