"""Reading results: right values, and a sentence for whatever is none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from audit.judge import judge
from audit.result import read_result
from datasets.errors import EvidenceError
from tests.audit.written_evidence import Evidence


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An evidence folder with a result."""
    evidence = Evidence(tmp_path / "evidence", ("Offline", "SingleStream"))
    assert judge(evidence.root).passed
    return evidence.root


def _change(folder: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    path = folder / "result.json"
    document = json.loads(path.read_text("utf-8"))
    change(document)
    path.write_text(json.dumps(document), "utf-8")
    return path


def test_a_result_is_read_from_its_file_or_its_folder(folder: Path) -> None:
    result = read_result(folder)
    assert result == read_result(folder / "result.json")
    offline, single = result.measurements
    assert (offline.scenario, offline.unit, offline.percentile) == ("Offline", "samples/s", None)
    assert offline.values == (101.0, 102.0, 103.0)
    assert offline.median == 102.0
    assert offline.higher_is_better
    assert offline.accuracy.value == 100.0
    assert offline.accuracy.target == 90.0
    assert [run["repeat"] for run in offline.runs] == [1, 2, 3]
    assert (single.unit, single.percentile, single.higher_is_better) == ("ns", 0.9, False)
    assert result.measurement("SingleStream") is single
    assert result.measurement("Server") is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda one: one.update(version=2), "version 2, but this loadproof reads version 1"),
        (lambda one: one.update(schema="loadproof/plan"), "is not a valid result document"),
        (lambda one: one.pop("gates"), "'gates' is a required property"),
        (lambda one: one["gates"][0].update(passed=False), "True was expected"),
    ],
)
def test_what_is_no_result_of_this_version_is_refused(
    folder: Path, change: Callable[[dict[str, Any]], object], said: str
) -> None:
    path = _change(folder, change)
    with pytest.raises(EvidenceError, match=str(path)) as refused:
        read_result(path)
    assert said in str(refused.value)


def test_a_scenario_without_its_runs_is_refused(folder: Path) -> None:
    def keep_offline(document: dict[str, Any]) -> None:
        document["runs"] = [run for run in document["runs"] if run["scenario"] == "Offline"]

    with pytest.raises(EvidenceError, match="gives SingleStream without a measured value"):
        read_result(_change(folder, keep_offline))


def test_a_folder_without_a_result_says_where_the_reason_stands(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path / "evidence")
    evidence.change_log(evidence.run(), result_validity="INVALID")
    assert not judge(evidence.root).passed
    with pytest.raises(EvidenceError, match=r"its audit did not pass, audit\.json says why"):
        read_result(evidence.root)
    with pytest.raises(EvidenceError, match="name the evidence folder"):
        read_result(tmp_path)
    with pytest.raises(EvidenceError, match="There is no result at"):
        read_result(tmp_path / "nothing.json")
