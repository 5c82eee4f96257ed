"""Policies: which one applies, what a user's own may say, and why each limit is what it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from audit import schema
from audit.consistency.policy import load_policy, policy_for, policy_names
from datasets.disk.files import write_json
from datasets.errors import EvidenceError, UsageError


def _own(path: Path, **changes: Any) -> Path:
    write_json(path, {**load_policy("quick").document, "name": "ours", **changes})
    return path


@pytest.mark.parametrize(
    ("suite", "policy"),
    [
        ("official", "qualification"),
        ("quick", "quick"),
        ("smoke", "quick"),
        ("a suite of the future", "qualification"),
    ],
)
def test_a_suite_has_its_policy(suite: str, policy: str) -> None:
    assert policy_for(suite).name == policy


def test_every_suite_is_named_once_and_every_limit_has_its_reason() -> None:
    suites = [suite for name in policy_names() for suite in load_policy(name).suites]
    assert sorted(suites) == ["official", "quick", "smoke"]
    for name in policy_names():
        for limit in load_policy(name).document["limits"].values():
            assert len(limit["reason"]) > 40


def test_the_strict_policy_is_the_stricter_in_everything() -> None:
    strict, wide = load_policy("qualification"), load_policy("quick")
    for limit in vars(strict.limits):
        assert getattr(strict.limits, limit) < getattr(wide.limits, limit)
    assert strict.closes_gate > wide.closes_gate


def test_a_file_of_the_users_own(tmp_path: Path) -> None:
    policy = load_policy(str(_own(tmp_path / "ours.json", closes_gate=["not enough runs"])))
    assert policy.name == "ours"
    assert policy.forbids("not enough runs")
    assert not policy.forbids("unstable")


def test_an_unknown_policy_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="qualification, quick"):
        load_policy("strictest")


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"min_runs": 4}, "min_runs"),
        ({"confidence": 95}, "confidence"),
        ({"limits": {}}, "limits"),
        ({"closes_gate": ["stable"]}, "closes_gate"),
        ({"unknown": 1}, "unknown"),
    ],
)
def test_a_file_that_is_no_policy_is_refused_with_the_place(
    tmp_path: Path, changes: dict[str, Any], place: str
) -> None:
    with pytest.raises(EvidenceError, match=place):
        load_policy(str(_own(tmp_path / "bad.json", **changes)))


def test_shipped_policies_fit_their_schema() -> None:
    for name in policy_names():
        assert schema.problems(dict(load_policy(name).document), "policy") == []
