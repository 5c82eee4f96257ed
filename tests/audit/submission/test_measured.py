"""The row of an entry in a table of results."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.submission.inferred import inference
from audit.submission.measured import Measured, measured
from audit.submission.reading import read_submission
from audit.submission.subject import ACCURACY_TEXT, DETAIL, Subject
from tests.audit.submission.negatives.performance import copied
from tests.audit.submission.trees import SampleTree, build, change_log, remove, write


def _rows(tree: SampleTree) -> dict[tuple[str, str], Measured]:
    submission = read_submission(tree.root, tree.round.name)
    return {
        (one.benchmark_folder, str(one.scenario)): measured(
            Subject(one, submission.tree, submission.round, submission.layout)
        )
        for one in submission.entries()
    }


def test_values_stand_in_the_units_that_are_published(tmp_path: Path) -> None:
    rows = _rows(build(tmp_path))
    assert rows["resnet50", "Offline"] == Measured(
        metric="result_samples_per_second",
        value=109.5,
        unit="Samples/s",
        inferred_from=None,
        accuracy=76.062,
        accuracy_metric="top1_percent",
        power=None,
    )
    latencies = [rows["resnet50", one] for one in ("SingleStream", "MultiStream")]
    assert [(one.value, one.unit) for one in latencies] == [
        (10.5, "Latency (ms)"),
        (81.0, "Latency (ms)"),
    ]
    bert = rows["bert-99", "SingleStream"]
    assert (bert.accuracy, bert.accuracy_metric) == (90.15279313202916, "f1")


@pytest.mark.parametrize(
    ("logged", "scenario", "changes", "value"),
    [
        ("SingleStream", "MultiStream", {"early_stopping_latency_ms": 11_000_000}, 88.0),
        ("SingleStream", "Offline", {"result_qps_without_loadgen_overhead": 99.99}, 99.99),
        ("MultiStream", "Offline", {"result_mean_query_latency_ns": 80_000_000}, 100.0),
        ("SingleStream", "MultiStream", {"early_stopping_latency_ms": 0}, None),
    ],
)
def test_an_inferred_value_is_made_by_the_rules_formula(
    tmp_path: Path, logged: str, scenario: str, changes: dict[str, object], value: float | None
) -> None:
    tree = build(tmp_path)
    change_log(copied(tree, logged, scenario), changes)
    row = _rows(tree)["resnet50", scenario]
    assert row.inferred_from == logged
    assert row.value == (None if value is None else pytest.approx(value))


@pytest.mark.parametrize(
    ("scenario", "logged", "system_type"),
    [
        ("SingleStream", "Offline", "edge"),
        ("SingleStream", "MultiStream", "edge"),
        ("Offline", "Server", "edge"),
        ("Server", "Offline", "edge"),
        ("Offline", "SingleStream", "datacenter"),
        ("Offline", "SingleStream", ""),
    ],
)
def test_nothing_else_is_inferred(scenario: str, logged: str, system_type: str) -> None:
    assert inference(scenario, logged, system_type) is None


def test_systems_of_both_types_may_infer_too() -> None:
    assert inference("Offline", "SingleStream", "datacenter, edge") is not None


def test_a_damaged_entry_has_a_row_without_numbers(tmp_path: Path) -> None:
    tree = build(tmp_path)
    write(tree.performance() / DETAIL, b"\x00\xff")
    remove(tree.accuracy() / ACCURACY_TEXT)
    row = _rows(tree)["resnet50", "Offline"]
    assert (row.value, row.accuracy, row.unit) == (None, None, "Samples/s")


def test_no_accuracy_is_published_beyond_its_own_counts(tmp_path: Path) -> None:
    tree = build(tmp_path)
    stated = tree.accuracy() / ACCURACY_TEXT
    write(stated, "accuracy=99.9%, good=38031, total=50000\n")
    assert _rows(tree)["resnet50", "Offline"].accuracy == pytest.approx(76.062)
    write(stated, "accuracy=75.0%, good=38031, total=50000\n")
    assert _rows(tree)["resnet50", "Offline"].accuracy == 75.0
