"""Every file and folder of a submission by its name, kind and size, whatever it is for."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterator

from audit.rules import common_rules
from audit.submission.files import Tree, join
from audit.submission.findings import Finding, finding, shown
from audit.submission.tree import Submission

_MIB = 1024 * 1024


def check_names(submission: Submission) -> Iterator[Finding]:
    """Each path in order; below the submitters alone where one was asked for."""
    tree, code = submission.tree, tuple(_code(submission))
    for path in _paths(submission):
        for judge in _JUDGES:
            yield from judge(tree, path)
        if tree.kind(path) == "link" and not path.startswith(code):
            yield finding("STR-014", path)


def check_blanks(submission: Submission) -> Iterator[Finding]:
    """Names with a space in them, each told once: a system's stands in many places."""
    places = defaultdict(list)
    for path in _paths(submission):
        name = path.rpartition("/")[2]
        if " " in name:
            places[name.partition(".")[0]].append(path)
    for paths in places.values():
        yield finding("STR-010", paths[0], found=len(paths))


def _paths(submission: Submission) -> Iterator[str]:
    asked = submission.asked is not None
    for folder in [one.folder for one in submission.submitters] if asked else [""]:
        yield from submission.tree.below(folder)


def _code(submission: Submission) -> Iterator[str]:
    """Where links are common and no evidence lies."""
    for submitter in submission.submitters:
        yield join(submitter.folder, submission.layout.code) + "/"


def _name(tree: Tree, path: str) -> Iterator[Finding]:
    name = path.rpartition("/")[2]
    if shown(name) != name:
        yield finding("STR-017", path)
    if name.startswith("."):
        yield finding("STR-011", path)


def _kind(tree: Tree, path: str) -> Iterator[Finding]:
    if tree.is_folder(path) and path in tree.unreadable:
        yield finding("STR-018", path, found=tree.unreadable[path])
    elif tree.is_folder(path) and not tree.listed(path):
        yield finding("STR-012", path)
    elif tree.kind(path) == "broken link":
        yield finding("STR-013", path)
    elif tree.kind(path) == "link" and (above := _holder(tree, path)) is not None:
        yield finding("STR-027", path, found=above)
    elif tree.kind(path) == "other":
        yield finding("STR-019", path)


def _holder(tree: Tree, link: str) -> str | None:
    """The folder that ``link`` leads to, if the link lies in it; None if it does not."""
    target = os.path.realpath(tree.on_disk(link))
    folder = os.path.realpath(os.path.dirname(tree.on_disk(link)))  # noqa: PTH120
    return target if os.path.commonpath([folder, target]) == target else None


def _size(tree: Tree, path: str) -> Iterator[Finding]:
    limit, size = common_rules()["file_size_limit_mb"], tree.size(path)
    if size > limit * _MIB:
        yield finding("STR-015", path, found=f"{size / _MIB:.1f} MiB", expected=f"{limit} MiB")


def _length(tree: Tree, path: str) -> Iterator[Finding]:
    """Only of what has nothing below it: one long folder is one fault."""
    limit = common_rules()["path_limit_characters"]
    if len(path) > limit and not tree.listed(path):
        yield finding("STR-016", path, found=len(path), expected=limit)


_JUDGES: tuple[Callable[[Tree, str], Iterator[Finding]], ...] = (_name, _kind, _size, _length)
