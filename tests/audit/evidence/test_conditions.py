"""A machine that was not quiet or cool is named once, and its result stays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.evidence.conditions import RULES, disturbances, limits
from audit.evidence.folder import read_evidence
from audit.findings import Finding
from audit.judge import judge
from audit.quantities import ranges
from tests.audit.written_evidence import Evidence


def _level(mean: float) -> dict[str, float]:
    return {"min": 0.0, "mean": mean, "max": 100.0}


def sensors(**cpu: Any) -> dict[str, Any]:
    """The ``sensors`` of a run on a machine without a GPU."""
    return {"interval_s": 1.0, "cpu": {"readings": 3, **cpu}, "gpus": [], "failed": []}


def with_gpus(*gpus: Mapping[str, float]) -> dict[str, Any]:
    """The same with GPUs, by the means of their levels."""
    told = [
        {"device": number, "readings": 3, **{key: _level(mean) for key, mean in gpu.items()}}
        for number, gpu in enumerate(gpus)
    ]
    return {**sensors(), "gpus": told}


QUIET = sensors(others_percent=_level(10), steal_percent=_level(5), thermal_throttles=0)


def _found(evidence: Evidence, *told: tuple[int | None, Any]) -> list[Finding]:
    for repeat, one in told:
        change = partial(dict.update, sensors=one)
        evidence.change_record(evidence.run(repeat=repeat), change)
    return list(disturbances(read_evidence(evidence.folder).runs))


@pytest.fixture
def evidence(tmp_path: Path) -> Evidence:
    return Evidence(tmp_path / "evidence")


def test_every_limit_has_a_rule_a_reason_and_a_figure_of_the_schema() -> None:
    assert {limit.rule for limit in limits()} == set(RULES)
    schema = Path(__file__).parents[3] / "audit/schemas/run.json"
    told = json.loads(schema.read_text("utf-8"))["properties"]["sensors"]["properties"]
    figures = {"cpu": told["cpu"]["properties"], "gpus": told["gpus"]["items"]["properties"]}
    assert all(limit.reason and limit.figure in figures[limit.of] for limit in limits())
    table = json.loads(schema.parents[1].joinpath("evidence/conditions.json").read_text("utf-8"))
    assert set(table["without_limit"]) <= figures["cpu"].keys() | figures["gpus"].keys()


@pytest.mark.parametrize(
    ("told", "rule", "words"),
    [
        (sensors(others_percent=_level(34.4)), "machine.others", "others took 34 % of the cores"),
        (sensors(steal_percent=_level(5.6)), "machine.steal", "the hypervisor took 6 %"),
        (sensors(thermal_throttles=2), "machine.throttled", "heat held the processor back 2 time"),
        (
            with_gpus({}, {"thermal_slowdown_percent": 12}),
            "machine.throttled",
            "heat held GPU 1 back in 12 % of the readings",
        ),
        (
            with_gpus({"hardware_slowdown_percent": 50}),
            "machine.throttled",
            "the board held GPU 0 back in 50 %",
        ),
    ],
)
def test_a_disturbed_run_is_named_with_the_number(
    evidence: Evidence, told: dict[str, Any], rule: str, words: str
) -> None:
    (found,) = _found(evidence, (2, told), (1, QUIET))
    assert (found.rule, found.severity) == (rule, "warning")
    assert found.where == "resnet50/Offline/performance/run_2"
    assert found.sentence.startswith(words)
    assert found.sentence.endswith("1 of 3 measured: Offline 2.")


@pytest.mark.parametrize(
    "told", [QUIET, with_gpus({"power_cap_percent": 100, "utilisation_percent": 99}), sensors()]
)
def test_a_machine_within_the_limits_or_without_sensors_is_no_matter(
    evidence: Evidence, told: dict[str, Any]
) -> None:
    assert _found(evidence, (1, told)) == []


def test_many_disturbed_runs_are_one_line_which_shows_the_worst(evidence: Evidence) -> None:
    shares = ((1, 11), (2, 60), (3, 20))
    busy = [(number, sensors(others_percent=_level(share))) for number, share in shares]
    (found,) = _found(evidence, *busy)
    assert found.where == "resnet50/Offline/performance/run_2"
    assert found.sentence == (
        "others took 60 % of the cores in this run, and more than 10 % in 3 of 3 measured: "
        "Offline 1 to 3."
    )


def test_neither_accuracy_runs_nor_failed_ones_are_measured(evidence: Evidence) -> None:
    busy = sensors(others_percent=_level(90))
    evidence.change_record(evidence.run(), lambda run: run.update(outcome="failed", cause="x"))
    assert _found(evidence, (None, busy), (1, busy)) == []


def test_a_result_stays_and_tells_of_the_sensors(evidence: Evidence) -> None:
    told = sensors(others_percent=_level(50))
    _found(evidence, (1, told))
    audit = judge(evidence.folder)
    assert audit.passed
    assert [one.rule for one in audit.findings if one.severity == "warning"] == ["machine.others"]
    result = json.loads((evidence.folder / "result.json").read_text("utf-8"))
    assert [run["sensors"] for run in result["runs"]] == [None, told, None, None]


@given(st.sets(st.integers(1, 60)))
def test_ranges_name_every_number_and_no_other(numbers: set[int]) -> None:
    named: set[int] = set()
    for part in filter(None, ranges(numbers).split(", ")):
        first, _, last = part.partition(" to ")
        named |= set(range(int(first), int(last or first) + 1))
    assert named == numbers
