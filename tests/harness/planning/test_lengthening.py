"""A run that was too short is planned again from its own rate, and no other is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from audit import schema
from audit.logs.loadgen_log import DetailLog, read_detail
from harness.planning.additions import with_tests
from harness.planning.lengthening import lengthened
from harness.planning.plan import Plan, make_plan
from harness.running.userconf import Entry
from harness.spec import RunSpec, Scenario
from tests.audit.written_logs import performance, write_detail
from tests.harness.plans import inputs

SHORT = {"result_validity": "INVALID", "result_min_duration_met": False}


def _log(folder: Path, scenario: Scenario, **entries: Any) -> DetailLog:
    write_detail(folder / "log", performance(scenario, **{**SHORT, **entries}))
    return read_detail(folder / "log")


def _plan(**changes: Any) -> Plan:
    return with_tests(make_plan(inputs(**changes), 50.0))


def _performance(plan: Plan, scenario: Scenario) -> list[RunSpec]:
    return [run for run in plan.runs if (run.scenario, run.mode) == (scenario, "performance")]


@pytest.mark.parametrize(
    ("scenario", "entries", "setting", "value"),
    [
        ("Offline", {"result_samples_per_second": 5000.0}, "target_qps", 10_000.0),
        ("SingleStream", {"result_mean_latency_ns": 1_000_000}, "expected_latency_ns", 200_000),
        ("MultiStream", {"result_mean_query_latency_ns": 2000000}, "expected_latency_ns", 400_000),
    ],
)
def test_what_is_still_to_run_is_planned_from_the_rate_that_was_measured(
    tmp_path: Path, scenario: Scenario, entries: dict[str, Any], setting: str, value: float
) -> None:
    plan = _plan()
    done, short, *rest = _performance(plan, scenario)
    longer = lengthened(plan, short, _log(tmp_path, scenario, **entries), lambda run: run != done)
    assert longer is not None
    assert _performance(longer, scenario) == [
        done,
        *(run.at(**{setting: value}) for run in (short, *rest)),
    ]
    others = [run for run in plan.runs if run not in (short, *rest)]
    assert [run for run in longer.runs if run in others] == others
    assert schema.problems(longer.document, "plan") == []
    apart = {key: text for key, text in longer.document.items() if key != "runs"}
    assert apart == {key: text for key, text in plan.document.items() if key != "runs"}


@pytest.mark.parametrize(
    ("scenario", "entries"),
    [
        ("Offline", {"result_validity": "VALID"}),
        ("SingleStream", {"early_stopping_met": False}),
        ("Server", {}),
        ("Server", {"result_perf_constraints_met": False}),
    ],
)
def test_a_run_that_was_bad_or_good_stays_as_it_is(
    tmp_path: Path, scenario: Scenario, entries: dict[str, Any]
) -> None:
    plan = _plan()
    short = _performance(plan, scenario)[0]
    assert lengthened(plan, short, _log(tmp_path, scenario, **entries), lambda _: True) is None


def test_a_length_that_the_user_decides_is_not_changed(tmp_path: Path) -> None:
    own = Entry(1, "*", "Offline", "target_qps", 3.0)
    plan = _plan(user_conf=(own,))
    short = _performance(plan, "Offline")[0]
    assert short.loadgen.target_qps == 3.0
    assert lengthened(plan, short, _log(tmp_path, "Offline"), lambda _: True) is None
    single = _performance(plan, "SingleStream")[0]
    assert lengthened(plan, single, _log(tmp_path, "SingleStream"), lambda _: True) is not None
