"""What the folders of an entry hold: nothing missing, and of our benchmarks nothing stray."""

from __future__ import annotations

import re
from collections.abc import Iterator

from audit.submission.contents import Contents, entry_contents, names_of, test_contents
from audit.submission.files import join
from audit.submission.findings import Outcome, finding, judged
from audit.submission.subject import Subject

_TEST = re.compile(r"TEST[0-9][0-9]")
_PAIR = ("baseline_accuracy.txt", "compliance_accuracy.txt")


def check_contents(subject: Subject) -> Iterator[Outcome]:
    """The files of the performance run, the accuracy run and the tests."""
    entry, tree = subject.entry, subject.tree
    if entry.endpoints:
        yield from _endpoints(subject)
    elif not any(tree.is_folder(join(entry.results, name)) for name in names_of("results")):
        if not tree.hides(entry.results):
            yield finding("STR-034", entry.results)
    else:
        yield from _folders(subject, entry.results, entry_contents())
        yield from _stray_folders(subject)
        yield from _tests(subject)


def _endpoints(subject: Subject) -> Iterator[Outcome]:
    for name in names_of("endpoints"):
        path = join(subject.entry.results, name)
        yield judged(subject.tree.is_file(path), "STR-046", path, expected="a file")


def _folders(subject: Subject, root: str, contents: tuple[Contents, ...]) -> Iterator[Outcome]:
    for one in contents:
        folder = join(root, one.folder)
        if not subject.tree.is_folder(folder):
            yield finding("STR-040", folder)
            continue
        for name in one.required:
            path = join(folder, name)
            here = subject.tree.kind(path) not in (None, "folder")
            yield judged(here, "STR-041", path, expected="a file")
        for name in subject.tree.listed(folder):
            if _scored(subject) and not one.allows(name):
                yield finding("STR-042", join(folder, name), expected=_listed(one))


def _listed(contents: Contents) -> str:
    return ", ".join((*contents.required, *contents.optional))


def _scored(subject: Subject) -> bool:
    """Other benchmarks leave files of their own, of which nothing is known here."""
    benchmark = subject.entry.benchmark
    return benchmark is not None and benchmark.accuracy_target is not None


def _stray_folders(subject: Subject) -> Iterator[Outcome]:
    """Folders beside the runs, such as a second run, and files beside their folders."""
    entry, tree = subject.entry, subject.tree
    if not _scored(subject):
        return
    performance = join(entry.results, "performance")
    strays = [join(performance, name) for name in _others(subject, performance, "performance")]
    together = entry.compliance == entry.results
    for name in _others(subject, entry.results, "results"):
        if tree.is_folder(join(entry.results, name)) and not (together and _TEST.match(name)):
            strays.append(join(entry.results, name))
    for path in strays:
        yield finding("STR-043", path)


def _others(subject: Subject, folder: str, kind: str) -> Iterator[str]:
    return (name for name in subject.tree.listed(folder) if name not in names_of(kind))


def _tests(subject: Subject) -> Iterator[Outcome]:
    """The tests that the benchmark needs, and the files of each that there is."""
    entry, tree = subject.entry, subject.tree
    needed = entry.benchmark.compliance_tests if entry.benchmark else ()
    if entry.ruled and needed and not tree.is_folder(entry.compliance):
        yield finding("STR-044", entry.compliance, expected=" and ".join(needed))
        return
    for test in needed:
        folder = entry.test(test)
        if tree.is_folder(folder):
            yield from _folders(subject, folder, test_contents(test))
            yield from _pair(subject, join(folder, "accuracy"))
        elif entry.ruled:
            yield finding("STR-044", folder, expected=test)


def _pair(subject: Subject, folder: str) -> Iterator[Outcome]:
    """Both scores of a test whose answers differ, or neither."""
    there = [name for name in _PAIR if subject.tree.is_file(join(folder, name))]
    if len(there) == 1:
        (missing,) = set(_PAIR) - set(there)
        yield finding("STR-045", join(folder, missing), found=join(folder, there[0]))
