"""A soak in a plan: how many runs it is, and that it is decided once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from audit import schema
from datasets.errors import UsageError
from harness.planning.additions import extended, with_repeats, with_tests
from harness.planning.plan import Plan, load_plan, make_plan, repeats_of, save_plan
from harness.planning.soak import MOST_RUNS, soak_from, soak_lengths, topped_up, with_soak
from harness.request import Request
from tests.harness.plans import inputs, request

QPS = 50.0


@pytest.fixture
def planned() -> Plan:
    return make_plan(inputs(scenarios=("SingleStream", "Server")), QPS)


@pytest.mark.parametrize(
    ("text", "seconds"), [("4h", 14_400), ("30m", 1800), ("90s", 90), ("1.5m", 90), (None, None)]
)
def test_times_are_read(text: str | None, seconds: float | None) -> None:
    assert soak_from(text) == seconds


@pytest.mark.parametrize(
    "text", ["", "4", "h", "0s", "-1h", "4 hours", "1e3s", "99999999h", "1\u0663s"]
)
def test_what_is_no_time_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(UsageError, match="such as 4h, 30m or 90s"):
        soak_from(text)


def test_runs_fill_the_time_and_follow_those_that_are_there(planned: Plan, tmp_path: Path) -> None:
    made = with_soak(planned, 60.0)
    assert [run for run in made.runs if run in planned.runs] == list(planned.runs)
    single = [run for run in made.runs if run.scenario == "SingleStream" and run.soak_s]
    assert [run.repeat for run in single] == list(range(6, 16))
    first = next(run for run in planned.runs if run.mode == "performance")
    assert [replace(run, repeat=1, soak_s=None) for run in single] == [first] * 10
    assert schema.problems(made.document, "plan") == []
    save_plan(made, tmp_path / "plan.json")
    assert load_plan(tmp_path / "plan.json").runs == made.runs
    assert [(one.scenario, one.runs) for one in soak_lengths(made)] == [
        ("SingleStream", 10),
        ("Server", 10),
    ]


def test_a_soak_is_decided_once_and_only_grows(planned: Plan) -> None:
    tested = with_tests(with_soak(planned, 60.0))
    assert with_soak(tested, 60.0) == tested
    assert with_soak(tested, 30.0) == tested
    longer = with_soak(tested, 66.0)
    (added, _) = [run for run in longer.runs if run not in tested.runs]
    assert (added.repeat, added.soak_s, added.test) == (16, 66.0, None)


def test_repeats_that_are_added_later_are_no_part_of_it(planned: Plan) -> None:
    soaked = with_soak(planned, 60.0)
    added = [run for run in with_repeats(soaked, 16).runs if run not in soaked.runs]
    assert [(run.repeat, run.soak_s) for run in added] == [(16, None)] * 2


def test_a_soak_of_more_runs_than_a_plan_can_name_is_refused(planned: Plan) -> None:
    with pytest.raises(UsageError, match="14400 runs of SingleStream, of about 6 s each"):
        with_soak(planned, 86_400.0)


def test_how_long_it_takes_is_said_before_it_starts(planned: Plan, tmp_path: Path) -> None:
    asked: Request = request(tmp_path, soak_s=24.0)
    made, said = extended(planned, asked)
    assert said == (
        "8 runs of a soak were added to the plan.",
        "Soak: 4 runs of SingleStream of about 6 s, 4 runs of Server of about 6 s; at least "
        "48 s in all.",
        "A verdict on drift needs 5 runs; soak SingleStream, Server for longer to have one.",
    )
    assert extended(made, asked) == (made, ())


def test_a_soak_that_was_shorter_than_asked_gets_the_runs_that_it_lacks(planned: Plan) -> None:
    soaking = with_tests(with_soak(planned, 60.0))
    more = topped_up(soaking, "SingleStream", [4.0] * 10)
    added = [run for run in more.runs if run not in soaking.runs]
    assert [(run.scenario, run.repeat, run.soak_s) for run in added] == [
        ("SingleStream", number, 60.0) for number in range(16, 21)
    ]
    assert [run for run in more.runs if run in soaking.runs] == list(soaking.runs)
    assert repeats_of(run for run in more.runs if run.scenario == "SingleStream")[-1] == added[-1]
    assert topped_up(more, "SingleStream", [4.0] * 15) == more


@pytest.mark.parametrize("measured_s", [[7.0] * 10, [5.98] * 10, [], [0.0] * 10])
def test_a_soak_that_was_long_enough_or_not_measured_stays(
    planned: Plan, measured_s: list[float]
) -> None:
    soaking = with_soak(planned, 60.0)
    assert topped_up(soaking, "SingleStream", measured_s) == soaking
    assert topped_up(planned, "SingleStream", measured_s) == planned


def test_topping_up_ends_at_the_most_runs(planned: Plan) -> None:
    more = topped_up(with_soak(planned, 60.0), "SingleStream", [1e-6] * 10)
    single = [run for run in more.runs if run.scenario == "SingleStream" and run.soak_s]
    assert len(single) == MOST_RUNS
