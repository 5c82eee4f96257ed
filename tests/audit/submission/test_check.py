"""A whole check: every entry gets a verdict, and what is left out is left out openly."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from audit.submission import checking
from audit.submission.check import Checked, check
from audit.submission.checks.judged import is_left_open
from audit.submission.choice import ALL, Choice, choose
from audit.submission.findings import Finding, finding
from audit.submission.reading import read_submission
from audit.submission.subject import Subject
from audit.submission.summary import Owner, tallies
from audit.submission.tree import Submission
from datasets.errors import UsageError

ENTRIES = ("resnet50/Offline", "bert-99/Offline", "llama2-70b-99/Offline", "resnet50/Nowhere")


@pytest.fixture
def submission(tmp_path: Path) -> Submission:
    """Four entries without a file; loadproof can judge the first two of them."""
    for name in ENTRIES:
        (tmp_path / "closed/Example/results/box" / name).mkdir(parents=True)
    return read_submission(tmp_path, "v5.1")


@pytest.fixture(autouse=True)
def no_other_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "SUBMISSION_CHECKS", ())
    monkeypatch.setattr(checking, "ENTRY_CHECKS", (is_left_open,))


def with_checks(monkeypatch: pytest.MonkeyPatch, *checks: object) -> None:
    monkeypatch.setattr(checking, "ENTRY_CHECKS", checks)


def statuses(checked: Checked) -> dict[str, str]:
    return {
        one.entry.name.removeprefix("closed/Example/box/"): one.status for one in checked.verdicts
    }


def test_every_entry_gets_a_verdict_and_an_open_one_is_no_pass(submission: Submission) -> None:
    checked = check(submission)
    assert statuses(checked) == {
        "bert-99/Offline": "valid",
        "llama2-70b-99/Offline": "not judged",
        "resnet50/Nowhere": "not judged",
        "resnet50/Offline": "valid",
    }
    assert [one.rule for one in checked.findings] == ["ENT-001", "ENT-001"]
    assert not checked.accepted


def test_a_rule_that_is_ignored_refuses_nothing(submission: Submission) -> None:
    checked = check(submission, choose((), ("ent-001",)))
    assert checked.choice == Choice(ignored=("ENT-001",))
    assert (checked.findings, checked.accepted) == ((), True)
    assert statuses(checked)["llama2-70b-99/Offline"] == "not judged"


def test_where_one_rule_alone_is_asked_nothing_is_valid(submission: Submission) -> None:
    checked = check(submission, choose(("ENT-001",), ()))
    assert set(statuses(checked).values()) == {"not judged"}


def test_a_failing_check_is_said_and_hides_nothing(
    submission: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(subject: Subject) -> Iterator[Finding]:
        raise ZeroDivisionError("by nought")
        yield

    with_checks(monkeypatch, broken, is_left_open)
    checked = check(submission, choose(("ENT-001",), ()))
    assert not checked.complete
    assert len([one for one in checked.findings if one.rule == "INT-001"]) == len(ENTRIES)
    assert "ZeroDivisionError: by nought" in checked.findings[0].sentence
    assert "ENT-001" in {one.rule for one in checked.findings}


def test_no_entry_is_no_pass(tmp_path: Path) -> None:
    checked = check(read_submission(tmp_path, "v5.1"))
    assert (checked.verdicts, checked.accepted) == ((), False)


def test_an_error_in_a_folder_of_an_entry_fails_that_entry(
    submission: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bad(one: Submission) -> Iterator[Finding]:
        yield finding("STR-018", "closed/Example/results/box/resnet50/Offline/accuracy", found="x")

    monkeypatch.setattr(checking, "SUBMISSION_CHECKS", (bad,))
    found = statuses(check(submission))
    assert (found["resnet50/Offline"], found["bert-99/Offline"]) == ("invalid", "valid")


def test_a_bad_description_fails_every_entry_of_its_system(
    submission: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bad(one: Submission) -> Iterator[Finding]:
        for system in one.systems():
            yield finding("INT-001", system.description_file, check="any", found="bad")

    monkeypatch.setattr(checking, "SUBMISSION_CHECKS", (bad,))
    assert set(statuses(check(submission)).values()) == {"invalid"}


@pytest.mark.parametrize(
    ("only", "ignored", "said"),
    [
        (["ENT-1"], [], "There is no rule 'ENT-1'; near it are ENT-001"),
        ([], ["INT-001"], "INT-001 can't be ignored"),
        (["ENT-001"], ["ENT-001"], "name it once"),
    ],
)
def test_choices_that_make_no_sense_are_refused(
    only: list[str], ignored: list[str], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        choose(only, ignored)


def test_all_rules_are_asked_where_nothing_is_chosen() -> None:
    assert ALL.asks("ENT-001")


def test_findings_are_counted_where_they_belong(
    submission: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = (
        "weird",
        "closed/Example/.x",
        "closed/Example/results/box/a",
        "closed/Example/code/box",
    )

    def scattered(one: Submission) -> Iterator[Finding]:
        for place in places:
            yield finding("INT-001", place, check="any", found="")

    monkeypatch.setattr(checking, "SUBMISSION_CHECKS", (scattered,))
    counted = {one.owner: one for one in tallies(check(submission))}
    assert {owner: one.severities["error"] for owner, one in counted.items()} == {
        Owner(): 1,
        Owner("closed", "Example"): 2,
        Owner("closed", "Example", "box"): 1,
    }
    assert counted[Owner("closed", "Example", "box")].entries == len(ENTRIES)
