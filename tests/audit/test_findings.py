"""Rules and their wording: nothing unused, nothing that can't be filled in."""

from __future__ import annotations

import re
from pathlib import Path

import audit
from audit.findings import Change, errors, finding, gates, rules

SOURCES = Path(audit.__file__).parent


def rules_in_code() -> set[str]:
    text = "\n".join(path.read_text("utf-8") for path in SOURCES.rglob("*.py"))
    return set(re.findall(r'"((?:[a-z]+)\.(?:[a-z_]+))"', text)) & set(rules())


def test_every_rule_is_used() -> None:
    assert rules_in_code() == set(rules())


def test_every_error_fails_a_gate_and_no_note_does() -> None:
    for rule in rules().values():
        assert rule.severity in ("error", "warning", "note")
        assert rule.gate in gates() or rule.severity == "note"


def test_every_rule_says_what_to_do() -> None:
    assert all(rule.sentence and rule.fix.endswith(".") for rule in rules().values())


def test_a_finding_carries_its_words_and_the_change() -> None:
    change = Change("*.Server.target_qps", 100.0, 81.5)
    found = finding(
        "validity.latency",
        "run_1/log:7",
        found=20,
        expected=3,
        processed=1000,
        limit="15 ms",
        percentile="99th",
        change=change,
    )
    assert found.sentence == (
        "INVALID: 20 of 1000 queries took longer than 15 ms; at the 99th percentile at most 3 may."
    )
    assert found.fix == "Lower the rate: set *.Server.target_qps = 81.5 (now 100)."
    assert found.document()["change"] == {
        "setting": "*.Server.target_qps",
        "present": 100.0,
        "suggested": 81.5,
    }


def test_only_errors_count_as_errors() -> None:
    stray = finding("evidence.stray", "x")
    empty = finding("log.empty", "y")
    assert errors([stray, empty]) == (empty,)
