"""One run is the evidence for one entry, but where the rules let it stand for several."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from audit.submission.copies import OFFERED_TWICE
from tests.audit.submission.negatives.performance import copied
from tests.audit.submission.negatives.structure import submitter_copied_under_another_name
from tests.audit.submission.trees import SampleTree, build, change_json


def _named(tree: SampleTree) -> dict[str, str]:
    """The log that each log is said to be, by its place."""
    return {one.where: one.found for one in tree.check() if one.rule == OFFERED_TWICE}


def test_both_logs_are_named_and_both_entries_refused(tmp_path: Path) -> None:
    tree = build(tmp_path)
    submitter_copied_under_another_name(tree)
    named = _named(tree)
    assert all(named[other] == where for where, other in named.items())
    assert {where.split("/")[1] for where in named} == {"Example", "Other"}
    kinds = ("accuracy", "performance/run_1", "TEST01/performance/run_1")
    assert all(any(f"/Offline/{kind}/" in where for where in named) for kind in kinds)


def test_a_run_may_stand_for_another_scenario_of_its_system(tmp_path: Path) -> None:
    tree = build(tmp_path)
    copied(tree, "SingleStream", "Offline")
    shutil.rmtree(tree.accuracy())
    shutil.copytree(tree.accuracy("SingleStream"), tree.accuracy())
    assert not _named(tree)


def test_a_run_may_stand_for_both_accuracies_of_bert(tmp_path: Path) -> None:
    tree = build(tmp_path)
    bert = tree.of("bert-99").results().parent
    shutil.copytree(bert, bert.with_name("bert-99.9"))
    assert not _named(tree)


def test_a_system_may_be_entered_in_two_divisions(tmp_path: Path) -> None:
    tree = build(tmp_path)
    other = tmp_path / "open" / tree.submitter
    shutil.copytree(tree.folder, other)
    change_json(other / "systems" / tree.description.name, division="open")
    assert not _named(tree)


@pytest.mark.parametrize("benchmark", ["alexnet", "resnet50"])
def test_a_run_of_one_benchmark_is_none_of_another(tmp_path: Path, benchmark: str) -> None:
    tree = build(tmp_path)
    bert = tree.of("bert-99")
    shutil.rmtree(bert.performance())
    shutil.copytree(tree.performance(), bert.performance())
    tree.results().parent.rename(tree.results().parent.with_name(benchmark))
    assert len(_named(tree)) == 2
