"""What was found as SARIF 2.1.0, the format that code review tools read.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from audit.submission.check import Checked
from audit.submission.findings import Finding, Rule, rules
from audit.submission.other_round import other_round

VERSION = "2.1.0"
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_BASE = "TREE"
"""What paths are relative to, as SARIF names it."""


def sarif_document(checked: Checked, version: str) -> dict[str, Any]:
    """One run of loadproof, with every rule that was broken and every finding."""
    broken = {one.rule for one in checked.findings}
    catalogue = [one for id_, one in rules().items() if id_ in broken]
    places = {one.id: place for place, one in enumerate(catalogue)}
    return {
        "$schema": SCHEMA,
        "version": VERSION,
        "runs": [
            {
                "tool": {"driver": _driver(catalogue, version)},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {_BASE: {"uri": _root(checked)}},
                "invocations": [_invocation(checked)],
                "results": [_result(one, places[one.rule]) for one in checked.findings],
            }
        ],
    }


def _driver(catalogue: list[Rule], version: str) -> dict[str, Any]:
    return {"name": "loadproof", "version": version, "rules": [_rule(one) for one in catalogue]}


def _root(checked: Checked) -> str:
    return f"{checked.submission.tree.root.resolve().as_uri()}/"


def _invocation(checked: Checked) -> dict[str, Any]:
    """How the check went; advice is about no place and breaks no rule, so that it is no result."""
    told: dict[str, Any] = {"executionSuccessful": checked.complete}
    advice = other_round(checked)
    if advice is not None:
        notification = {"level": "note", "message": {"text": advice}}
        told["toolExecutionNotifications"] = [notification]
    return told


def _rule(one: Rule) -> dict[str, Any]:
    return {
        "id": one.id,
        "shortDescription": {"text": one.title},
        "fullDescription": {"text": f"{one.title} ({one.section})"},
        "help": {"text": one.fix},
        "defaultConfiguration": {"level": one.severity},
    }


def _result(one: Finding, place: int) -> dict[str, Any]:
    return {
        "ruleId": one.rule,
        "ruleIndex": place,
        "level": one.severity,
        "message": {"text": f"{one.sentence} {one.fix}".strip()},
        "locations": [{"physicalLocation": _location(one)}],
        "properties": {"found": one.found, "expected": one.expected, "entry": one.entry},
    }


def _location(one: Finding) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": quote(one.where), "uriBaseId": _BASE}}
    return place if one.line is None else place | {"region": {"startLine": one.line}}
