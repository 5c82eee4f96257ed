"""Another user.conf: which scenarios it changes, and what becomes of a plan."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from audit import schema
from audit.evidence.sealing import seal_plan
from datasets.errors import EvidenceError
from harness.planning.additions import with_repeats, with_tests
from harness.planning.plan import Plan, make_plan
from harness.planning.replanning import (
    decided_otherwise,
    replanned,
    require_obeyed,
    with_set_aside,
)
from harness.planning.soak import with_soak
from harness.running.userconf import Entry
from harness.spec import SCENARIOS
from tests.harness.plans import inputs


def _entry(model: str, scenario: str, key: str, value: float) -> Entry:
    return Entry(1, model, scenario, key, value)


OFFLINE = _entry("*", "Offline", "min_duration", 300.0)


@pytest.mark.parametrize(
    ("now", "changed"),
    [
        ((OFFLINE,), ()),
        ((OFFLINE, _entry("bert", "*", "min_duration", 9.0)), ()),
        ((_entry("*", "Offline", "min_duration", 9.0), OFFLINE), ()),
        ((OFFLINE, _entry("*", "Server", "target_qps", 3.0)), ("Server",)),
        ((replace(OFFLINE, value=301.0),), ("Offline",)),
        ((), ("Offline",)),
        ((OFFLINE, _entry("*", "*", "min_query_count", 99.0)), SCENARIOS),
        ((OFFLINE, _entry("*", "*", "target_latency_percentile", 95.0)), SCENARIOS[1:]),
    ],
)
def test_a_scenario_is_changed_where_another_value_is_decided_for_it(
    now: tuple[Entry, ...], changed: tuple[str, ...]
) -> None:
    assert decided_otherwise(make_plan(inputs(user_conf=(OFFLINE,)), 50.0), now) == changed


def _plan() -> Plan:
    return with_tests(with_soak(with_repeats(make_plan(inputs(), 50.0), 7), 30.0))


def test_a_changed_scenario_keeps_its_runs_with_other_settings_and_the_others_stay(
    tmp_path: Path,
) -> None:
    earlier, own = _plan(), (replace(OFFLINE, value=9000.0),)
    made = replanned(earlier, inputs(user_conf=own), ("Offline",), None)
    assert schema.problems(made.document, "plan") == []
    assert len(made.runs) == len(earlier.runs)
    for before, after in zip(earlier.runs, made.runs, strict=True):
        if before.scenario == "Offline":
            assert after == before.at(min_duration_ms=9000)
        else:
            assert after == before
    assert made.user_conf == ("*.Offline.min_duration = 9000",)
    assert made.run_s["Offline"] > earlier.run_s["Offline"]
    assert {**made.run_s, "Offline": 0} == {**earlier.run_s, "Offline": 0}
    system = tmp_path / "system.json"
    assert seal_plan(made.document, system) == seal_plan(earlier.document, system)


def test_a_changed_server_gets_the_rate_that_was_found_for_it() -> None:
    own = (_entry("*", "Server", "target_latency", 200.0),)
    made = replanned(_plan(), inputs(user_conf=own), ("Server",), 77.0)
    rates = {
        run.loadgen.target_qps
        for run in made.runs
        if (run.scenario, run.mode) == ("Server", "performance")
    }
    assert rates == {77.0}


def test_each_time_that_runs_are_set_aside_is_kept() -> None:
    first = with_set_aside(_plan(), ("Offline",), ".previous/a")
    own = inputs(user_conf=(replace(OFFLINE, value=9000.0),))
    made = with_set_aside(replanned(first, own, ("Offline",), None), ("Offline",), ".previous/b")
    assert schema.problems(made.document, "plan") == []
    assert [(one["user_conf"], one["moved_to"]) for one in made.document["set_aside"]] == [
        ([], ".previous/a"),
        (["*.Offline.min_duration = 9000"], ".previous/b"),
    ]


def test_a_plan_whose_user_conf_was_edited_is_refused() -> None:
    plan = _plan()
    require_obeyed(plan)
    edited = {**plan.document, "user_conf": ["*.Offline.min_duration = 9000"]}
    with pytest.raises(EvidenceError, match="min_duration_ms to 9000 for resnet50/Offline"):
        require_obeyed(replace(plan, document=edited))
