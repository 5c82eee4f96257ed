"""Every rule is broken by a tree, which breaks no other; good trees break none."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.rules import round_names
from audit.submission import checking
from audit.submission.findings import Finding, rules
from tests.audit.submission.negatives import Negative, negatives
from tests.audit.submission.trees import build

ABOUT_THE_WHOLE = ("STR-001",)
"""Rules that name no file, for there is none."""


def test_every_rule_has_a_tree_and_every_tree_a_rule() -> None:
    assert {one.rule for one in negatives()} == set(rules())


def test_no_tree_is_told_twice() -> None:
    assert len({one.name for one in negatives()}) == len(negatives())


@pytest.mark.parametrize("division", ["closed", "open"])
@pytest.mark.parametrize("round_name", round_names())
def test_nothing_is_found_in_a_good_tree(tmp_path: Path, round_name: str, division: str) -> None:
    assert not build(tmp_path, round_name, division).check()


@pytest.mark.parametrize("negative", negatives(), ids=lambda one: one.name)
def test_a_rule_is_broken_alone_and_names_what_was_changed(
    tmp_path: Path, negative: Negative, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks = (*checking.ENTRY_CHECKS, *negative.checks)
    monkeypatch.setattr(checking, "ENTRY_CHECKS", checks)
    tree = build(tmp_path, negative.round_name, negative.division)
    negative.change(tree)
    found = tree.check(negative.submitter)
    assert {one.rule for one in found} == {negative.rule, *negative.also}
    changed = tree.changed()
    tells = any(_tells(one, path) for one in found for path in changed if one.rule == negative.rule)
    assert tells or not changed or negative.rule in ABOUT_THE_WHOLE, found


def _tells(finding: Finding, path: str) -> bool:
    """Whether a finding leads to the changed file or folder at ``path``."""
    above = path.startswith(f"{finding.where}/") or finding.where.startswith(f"{path}/")
    return above or finding.where == path or path in finding.sentence
