"""The tree as a whole: that there is something to check, and what each submitter owes."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from audit.rules import common_rules
from audit.submission.contents import names_of
from audit.submission.files import join
from audit.submission.findings import Finding, finding
from audit.submission.json_object import FormRules, read_object
from audit.submission.reading import MODEL_MAPPING
from audit.submission.tree import Submission, Submitter

ROOT = "."
"""How findings call the root of the tree."""
_MAPPING = FormRules(syntax="STR-008", encoding="STR-008", repeated="STR-008")


def check_presence(submission: Submission) -> Iterator[Finding]:
    """That there is an entry at all, and the submitter that was asked for."""
    if submission.asked and not submission.submitters:
        yield _absent(submission, submission.asked)
    elif not any(submission.entries()):
        yield finding("STR-001", ROOT, expected="/".join(_PLACES))


_PLACES = ("DIVISION", "SUBMITTER", "results", "SYSTEM", "BENCHMARK", "SCENARIO")


def _absent(submission: Submission, asked: str) -> Finding:
    tree = submission.tree
    known = sorted({name for division in tree.folders("") for name in tree.folders(division)})
    near = get_close_matches(asked, known, n=1)
    hint = f"the nearest is {near[0]}" if near else f"there are {', '.join(known) or 'none'}"
    return finding("STR-002", ROOT, found=asked, known=hint)


def check_divisions(submission: Submission) -> Iterator[Finding]:
    """That only divisions lie at the root; with one submitter asked for, others' aren't judged."""
    known = common_rules()["divisions"]
    for folder in submission.tree.folders("") if submission.asked is None else ():
        if folder not in known and not folder.startswith("."):
            yield finding("STR-003", folder, found=folder, expected=", ".join(known))


def check_submitters(submission: Submission) -> Iterator[Finding]:
    """What lies in the folder of each submitter."""
    for submitter in submission.submitters:
        if submitter.division in common_rules()["divisions"]:
            yield from _results(submission, submitter)
            yield from _code(submission, submitter)
            yield from _calibration(submission, submitter)
            yield from _stray(submission, submitter)
            yield from _mapping(submission, submitter)


def _results(submission: Submission, submitter: Submitter) -> Iterator[Finding]:
    tree, results = submission.tree, join(submitter.folder, "results")
    if not tree.folders(results) and not tree.hides(results):
        yield finding("STR-004", submitter.folder, submitter=submitter.name)


def _code(submission: Submission, submitter: Submitter) -> Iterator[Finding]:
    folder = join(submitter.folder, submission.layout.code)
    if not submission.tree.is_folder(folder):
        yield finding("STR-005", folder)


def _calibration(submission: Submission, submitter: Submitter) -> Iterator[Finding]:
    places = [join(submitter.folder, name) for name in names_of("calibration")]
    if submitter.division == "closed" and not any(map(submission.tree.is_file, places)):
        yield finding("STR-006", places[0])


def _stray(submission: Submission, submitter: Submitter) -> Iterator[Finding]:
    normal = {*submission.layout.submitter_folders, *names_of("submitter")}
    for name in submission.tree.listed(submitter.folder):
        if name not in normal and not name.startswith("."):
            expected = ", ".join(submission.layout.submitter_folders)
            yield finding("STR-007", join(submitter.folder, name), expected=expected)


def _mapping(submission: Submission, submitter: Submitter) -> Iterator[Finding]:
    """The open division's own names, each for a benchmark of the round."""
    path = join(submitter.folder, MODEL_MAPPING)
    if not submission.tree.is_file(path):
        return
    if submitter.division != "open":
        yield finding("STR-028", path, found=submitter.division)
        return
    mapping = read_object(submission.tree, path, _MAPPING)
    yield from mapping.problems
    for name, listed in (mapping.members or {}).items():
        if not isinstance(listed, str) or submission.round.listed(listed) is None:
            found = f"{name} stands for {listed!r}, which {submission.round.name} does not have"
            yield finding("STR-008", path, found=found)
