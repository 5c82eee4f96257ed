"""More repeats than the suite has: what is added to a plan, and what stays."""

from __future__ import annotations

from pathlib import Path

from audit import schema
from harness.planning.additions import with_repeats, with_tests
from harness.planning.plan import load_plan, make_plan, save_plan
from tests.harness.plans import inputs


def test_repeats_follow_those_of_their_scenario_and_the_others_stay(tmp_path: Path) -> None:
    plan = make_plan(inputs(), 50.0)
    more = with_repeats(plan, 7)
    assert [run for run in more.runs if run in plan.runs] == list(plan.runs)
    for scenario in {run.scenario for run in plan.runs}:
        repeats = [
            run.repeat
            for run in more.runs
            if run.scenario == scenario and run.mode == "performance"
        ]
        assert repeats == [1, 2, 3, 4, 5, 6, 7]
    assert schema.problems(more.document, "plan") == []
    save_plan(more, tmp_path / "plan.json")
    assert load_plan(tmp_path / "plan.json").runs == more.runs


def test_fewer_repeats_than_planned_change_nothing() -> None:
    plan = make_plan(inputs(), 50.0)
    assert with_repeats(plan, 1) == plan


def test_a_compliance_test_is_no_repeat() -> None:
    tested = with_tests(make_plan(inputs(), 50.0))
    added = [run for run in with_repeats(tested, 6).runs if run not in tested.runs]
    assert {run.test for run in added} == {None}
    assert len(added) == len({run.scenario for run in tested.runs})
