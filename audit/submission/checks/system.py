"""Descriptions of systems: every field that the rules want, and what it may say."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from audit.rules import common_rules, normal_system_type
from audit.submission.files import Tree, join
from audit.submission.findings import Finding, finding
from audit.submission.json_object import FormRules, JsonObject, read_object
from audit.submission.reading import SYSTEM_TYPES
from audit.submission.tree import Submission, Submitter, System

_FORM = FormRules(syntax="SYS-001", encoding="SYS-002", repeated="SYS-003")
_ALIKE = 0.8
"""How much of a name must be right for it to be called misspelt."""


def check_systems(submission: Submission) -> Iterator[Finding]:
    """Every description that there is; a system without one is a matter of structure."""
    for submitter in submission.submitters:
        for system in submitter.systems:
            if submission.tree.is_file(system.description_file):
                yield from _check(submission.tree, submitter, system)


def _check(tree: Tree, submitter: Submitter, system: System) -> Iterator[Finding]:
    path = system.description_file
    described = read_object(tree, path, _FORM)
    yield from described.problems
    if described.members is None:
        return
    yield from _fields(described, path, submitter.division)
    yield from _values(described, path)
    yield from _folders(described, path, submitter)
    yield from _network(described, path, submitter.division)
    yield from _power(described, tree, system)


def _fields(described: JsonObject, path: str, division: str) -> Iterator[Finding]:
    members, common = described.members or {}, common_rules()
    names = [*common["system_fields"]]
    names += common["system_fields_network"] if division == "network" else []
    unknown = [name for name in members if name not in names]
    for name in names:
        if name not in members:
            yield _absent(described, path, name, unknown)
        elif name in common["system_fields_non_empty"] and not described.text(name):
            line = described.line(name)
            yield finding("SYS-006", path, line=line, found=members[name], expected=name)


def _absent(described: JsonObject, path: str, name: str, unknown: list[str]) -> Finding:
    """A field that is not there, or is there by a name that is nearly right."""
    near = get_close_matches(name, unknown, n=1, cutoff=_ALIKE)
    if not near:
        return finding("SYS-004", path, expected=name)
    line = described.line(near[0])
    return finding("SYS-005", path, line=line, found=near[0], expected=name)


def _values(described: JsonObject, path: str) -> Iterator[Finding]:
    """What a field says, where it says anything."""
    common = common_rules()
    status, system_type = described.text("status"), described.text("system_type")
    if status and status.lower() not in common["availability"]:
        yield _wrong(described, path, "SYS-007", "status", ", ".join(common["availability"]))
    if system_type and normal_system_type(system_type) not in SYSTEM_TYPES:
        yield _wrong(described, path, "SYS-008", "system_type", " or ".join(SYSTEM_TYPES))
    for name in common["system_fields_numeric"]:
        value = (described.members or {}).get(name, "")
        if described.text(name) and not _counts(value):
            yield _wrong(described, path, "SYS-011", name, "a whole number")
        elif name in common["system_fields_positive"] and _is_zero(described.text(name)):
            yield _wrong(described, path, "SYS-014", name, "1 or more")


def _wrong(described: JsonObject, path: str, rule: str, name: str, expected: str) -> Finding:
    """A field that is there and says something that it can't."""
    line, found = described.line(name), described.text(name) or "nothing"
    return finding(rule, path, line=line, found=found, expected=expected, name=name)


def _counts(value: Any) -> bool:
    """Whether ``value`` is a whole number, itself or written out."""
    if isinstance(value, bool):
        return False
    if isinstance(value, int):
        return value >= 0
    return isinstance(value, str) and value.strip().isascii() and value.strip().isdecimal()


def _is_zero(text: str) -> bool:
    return text != "" and not text.strip("0")


def _folders(described: JsonObject, path: str, submitter: Submitter) -> Iterator[Finding]:
    stated = (("SYS-009", "division", submitter.division), ("SYS-010", "submitter", submitter.name))
    for rule, name, folder in stated:
        found = described.text(name)
        if found and found.lower() != folder.lower():
            yield _wrong(described, path, rule, name, folder)


def _network(described: JsonObject, path: str, division: str) -> Iterator[Finding]:
    expected = {"closed": "false", "network": "true"}.get(division)
    networked = described.text("is_network").lower() == "true"
    if expected and networked != (expected == "true"):
        yield _wrong(described, path, "SYS-012", "is_network", f"{expected} in {division}")


def _power(described: JsonObject, tree: Tree, system: System) -> Iterator[Finding]:
    """The fields about power, all in one, where it was measured."""
    folders = [join(entry.results, "performance", "power") for entry in system.entries]
    measured = [folder for folder in folders if tree.is_folder(folder)]
    members = described.members or {}
    missing = [name for name in common_rules()["system_fields_power"] if name not in members]
    if measured and missing:
        path = system.description_file
        yield finding("SYS-013", path, found=measured[0], expected=", ".join(missing))
