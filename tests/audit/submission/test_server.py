"""A datacenter's Server result in the closed division: its limits are those of the round."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from audit.submission.measured import measured
from audit.submission.reading import read_submission
from audit.submission.subject import DETAIL, SUMMARY, Subject
from tests.audit import written_logs
from tests.audit.submission import samples
from tests.audit.submission.negatives.performance import copied
from tests.audit.submission.trees import SampleTree, build, change_json, change_log, remove, write

SAMPLED = 4096
"""Of the 48,000 queries that LoadGen expects to send."""


@pytest.fixture
def tree(tmp_path: Path) -> SampleTree:
    """Server and Offline of resnet50, of v5.0: the only round that has them for datacenters."""
    built = build(tmp_path, "v5.0")
    change_json(built.description, system_type="datacenter")
    for place in (built.results, built.measurements, lambda one: built.test("", one)):
        remove(place("Offline").parent.with_name("bert-99"))
        shutil.copytree(place("Offline"), place("Server"))
        for scenario in ("SingleStream", "MultiStream"):
            remove(place(scenario))
    _rewrite(built)
    return built


def _rewrite(tree: SampleTree) -> None:
    rules = tree.round.listed(tree.benchmark)
    assert rules is not None
    runs = {
        tree.performance("Server"): samples.performance(tree.round, rules, "Server"),
        **{
            tree.test_run(test, "Server"): samples.tested(tree.round, rules, "Server", test)
            for test in rules.compliance_tests
        },
    }
    for folder, detail in runs.items():
        write(folder / DETAIL, detail)
        write(folder / SUMMARY, samples.summary(detail))
    for test in rules.compliance_tests:
        text = samples.verify_performance(rules, "Server", test)
        write(tree.test(test, "Server") / "verify_performance.txt", text)
    text = samples.verify_accuracy(rules, "Server", SAMPLED)
    write(tree.test("TEST01", "Server") / "verify_accuracy.txt", text)
    write(tree.accuracy("Server") / DETAIL, samples.accuracy(tree.round, rules, "Server"))


def test_a_good_one_has_no_finding_and_its_rate_in_queries(tree: SampleTree) -> None:
    assert not tree.check()
    submission = read_submission(tree.root, tree.round.name)
    (entry,) = (one for one in submission.entries() if one.scenario == "Server")
    row = measured(Subject(entry, submission.tree, submission.round, submission.layout))
    assert (row.value, row.unit) == (79.9, "Queries/s")


@pytest.mark.parametrize(
    ("changes", "rules"),
    [
        ({"effective_target_latency_ns": 20_000_000}, {"PERF-016"}),
        ({"effective_target_latency_ns": 14_000_000}, set()),
        ({"result_99.00_percentile_latency_ns": 20_000_000}, {"PERF-021", "PERF-022"}),
        ({"effective_target_latency_percentile": 0.9}, {"PERF-017"}),
        ({"result_overlatency_query_count": 450}, {"PERF-005"}),
        ({"result_perf_constraints_met": False}, {"PERF-005"}),
        ({"effective_max_async_queries": 4}, {"PERF-015"}),
        ({"result_completed_samples_per_sec": 799.0}, {"PERF-020", "TEST-009", "TEST-012"}),
    ],
)
def test_its_limits_are_the_rounds(
    tree: SampleTree, changes: Mapping[str, Any], rules: set[str]
) -> None:
    folder = tree.performance("Server")
    more = "" if set(changes) <= _keys(folder) else _lines(changes)
    change_log(folder, changes if not more else {}, more)
    assert {one.rule for one in tree.check()} == rules


def _keys(folder: Path) -> set[str]:
    text = (folder / DETAIL).read_text("utf-8")
    return {line.split('"')[3] for line in text.splitlines()}


def _lines(changes: Mapping[str, Any]) -> str:
    return "".join(written_logs.line(key, value) for key, value in changes.items())


def test_offline_can_not_be_inferred_on_a_datacenter_system(tree: SampleTree) -> None:
    copied(tree, "Server", "Offline")
    assert {"PERF-008", "TEST-007"} == {one.rule for one in tree.check()}
