"""What the audit finds in a log is told under one rule of a submission, and never lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit import findings as audited
from audit.submission.checking import explain_entry
from audit.submission.findings import Kept, rules
from audit.submission.reading import read_submission
from audit.submission.subject import Subject
from tests.audit.submission.trees import build

OF_A_LOG = ("log.", "validity.", "metric.", "round.")
ELSEWHERE = {
    "run.missing",
    "run.not_finished",
    "run.incomplete",
    "run.attempts_lost",
    "run.retried",
    "run.lengthened",
    "run.chosen",
    "run.other_spec",
    "run.answers",
    "settings.differs",
    "round.origin",
    "round.scenario",
    "round.accuracy_target",
    "round.dataset_size",
}
"""Rules of evidence that loadproof made itself, and what is judged from other files of a tree."""


def _stood_for(group: str) -> list[str]:
    return [
        one for id_, rule in rules().items() if id_.startswith(group) for one in rule.stands_for
    ]


@pytest.mark.parametrize("group", ["PERF-", "TEST-"])
def test_whatever_can_be_found_in_a_measured_log_has_one_rule(group: str) -> None:
    prefixes = (*OF_A_LOG, "run.", "settings.")
    found = {id_ for id_ in audited.rules() if id_.startswith(prefixes)} - ELSEWHERE
    tests = {"compliance.other_run", "compliance.speed"} if group == "TEST-" else set()
    stood_for = _stood_for(group)
    assert set(stood_for) == found | tests
    assert len(stood_for) == len(set(stood_for))


def test_rules_of_the_audit_that_are_stood_for_exist() -> None:
    stood_for = {one for group in ("PERF-", "ACC-", "TEST-") for one in _stood_for(group)}
    assert stood_for <= set(audited.rules())


def test_a_good_entry_shows_what_holds_with_its_numbers(tmp_path: Path) -> None:
    tree = build(tmp_path)
    submission = read_submission(tree.root, tree.round.name)
    entry = next(one for one in submission.entries() if one.scenario == "Offline")
    outcomes = explain_entry(Subject(entry, submission.tree, submission.round, submission.layout))
    kept = [one for one in outcomes if isinstance(one, Kept)]
    shown = {(one.rule, one.where.rpartition("/")[2]): one.found for one in kept}
    assert shown["PERF-014", "mlperf_log_detail.txt"] == "effective_min_duration_ms = 600000"
    assert shown["PERF-004", "mlperf_log_detail.txt"] == "result_validity = VALID"
    assert ("PERF-024", "mlperf_log_summary.txt") in shown
    assert shown["ACC-010", "accuracy.txt"] == "1"
