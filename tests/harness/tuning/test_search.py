"""The search for the highest VALID Server rate, on simulated systems and without a clock."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.tuning.crossing import Seen, believe
from harness.tuning.search import (
    FIRST_SHARE,
    KEPT_SHARE,
    MOST_MARGIN,
    NEXT_SHARE,
    STEP_DOWN,
    Answer,
    Goal,
    Search,
    Step,
    Tell,
)
from tests.harness.queues import System, searched

SYSTEMS = {
    "one stream, limit 50 ms": (System(0.008, 0.00025, 0.050, 1, 512), 2540.0),
    "two streams, small batches": (System(0.004, 0.0008, 0.030, 2, 32), 1499.0),
}
"""Systems and the rate at which half of the full-length runs are VALID (``System.true_limit``)."""
SEEDS = 16
FEWEST_RIGHT = 15
SLOW = System(0.01164, 0.0, 0.0582, 1, 1, full_s=600.0, probe_s=15.0)
SLOW_LIMIT = 47.3
GOAL = Goal(0.99, 100.0, full_s=60.0, full_queries=662, most_runs=12, confirm=True)


def _tell(step: Step, late: int, queries: int = 10_000, cause: str = "") -> Tell:
    valid = not cause and late <= GOAL.allowed(step.rate_qps) * queries
    return Tell(step.kind, step.rate_qps, step.rate_qps, queries, late, valid, cause)


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_recorded_limit_is_where_full_length_runs_are_valid_by_chance(name: str) -> None:
    system, limit = SYSTEMS[name]
    assert system.valid_share(limit * 0.99, 8) > 0.5 > system.valid_share(limit * 1.01, 8)


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_rate_found_is_valid_and_at_most_five_percent_below_the_limit(name: str) -> None:
    system, limit = SYSTEMS[name]
    right = sum(searched(system, limit, seed).right(limit) for seed in range(SEEDS))
    assert right >= FEWEST_RIGHT


def test_with_tens_of_queries_a_second_most_searches_end_below_the_limit_and_near_it() -> None:
    found = [searched(SLOW, SLOW_LIMIT, seed) for seed in range(8)]
    assert sum(one.right(SLOW_LIMIT) for one in found) >= 6
    assert all(one.lasted_s < 5 * SLOW.full_s for one in found)


NOISY = replace(SYSTEMS["two streams, small batches"][0], full_s=30.0)


@pytest.mark.parametrize(
    ("system", "drift"),
    [
        (replace(NOISY, slow_share=0.01, slow_factor=10.0), 0.0),
        (replace(NOISY, variation=0.8), 0.0),
        (NOISY, 0.03),
        (replace(NOISY, slow_share=0.05, slow_factor=40.0), 0.02),
    ],
)
def test_a_noisy_or_drifting_system_ends_the_search_with_a_confirmed_rate_or_none(
    system: System, drift: float
) -> None:
    for seed in range(3):
        found = searched(system, 1499.0, seed, drift)
        assert len(found.tells) <= 13
        assert found.confirmed or (found.answer.rate_qps is None and found.answer.reason)


@given(
    lates=st.lists(st.integers(0, 10_000), max_size=16),
    failed=st.sets(st.integers(0, 15), max_size=4),
    confirm=st.booleans(),
)
def test_no_rate_is_ever_found_but_by_a_last_run_that_was_valid(
    lates: list[int], failed: set[int], confirm: bool
) -> None:
    search = Search(replace(GOAL, confirm=confirm))
    for number, late in enumerate(lates):
        step = search.ask()
        if isinstance(step, Answer):
            break
        search.tell(_tell(step, late, cause="it broke" if number in failed else ""))
    step = search.ask()
    assert len(search.tells) <= GOAL.most_runs + 1
    if isinstance(step, Answer) and step.rate_qps is not None:
        last = search.tells[-1]
        assert last.valid
        assert (last.kind == "confirm") == confirm
        assert step.rate_qps == (last.asked_qps if confirm else last.asked_qps * KEPT_SHARE)


@settings(max_examples=25)
@given(lates=st.lists(st.integers(0, 10_000), max_size=8))
def test_a_search_goes_on_from_its_tells_as_if_it_had_not_stopped(lates: list[int]) -> None:
    search = Search(GOAL)
    for late in lates:
        step = search.ask()
        if isinstance(step, Answer):
            break
        search.tell(_tell(step, late))
        assert Search(GOAL, search.tells).ask() == search.ask()


def test_an_invalid_confirming_run_is_followed_by_a_lower_one_until_the_runs_are_used_up() -> None:
    search = Search(GOAL)
    confirmed: list[float] = []
    while isinstance(step := search.ask(), Step):
        confirmed += [step.rate_qps] if step.kind == "confirm" else []
        search.tell(_tell(step, 10_000 if step.kind == "confirm" else 98))
    assert len(confirmed) > 1
    assert confirmed == sorted(confirmed, reverse=True)
    assert all(low <= high * STEP_DOWN for high, low in pairwise(confirmed))
    assert step == Answer(
        None, "no run of full length was VALID within 13 runs; no probe held its rate either"
    )


@pytest.mark.parametrize(
    ("share", "least"), [(0.02, 0.9), (0.1, 0.9), (10.0, 0.9), (30.0, 0.85), (100.0, 0.85)]
)
def test_a_start_that_is_far_off_is_left_within_the_probes_of_a_search(
    share: float, least: float
) -> None:
    limit_qps = 150.0
    search = Search(replace(GOAL, start_qps=share * limit_qps))
    while isinstance(step := search.ask(), Step):
        late = round(10_000 / (1 + (limit_qps / step.rate_qps) ** 40 * 120))
        search.tell(_tell(step, late))
    assert step.rate_qps is not None
    assert least * limit_qps < step.rate_qps < 1.02 * limit_qps
    assert len(search.tells) - 1 <= GOAL.most_runs


@pytest.mark.parametrize(("late", "least", "most"), [(100, 0.97, 0.99), (9_000, 0.5, 0.8)])
def test_a_confirming_run_is_followed_by_one_that_is_lower_by_how_late_it_was(
    late: int, least: float, most: float
) -> None:
    tell = Tell("confirm", 100.0, 100.0, 10_000, late, valid=False)
    step = Search(GOAL, [Tell("probe", 150.0, 150.0, 10_000, 10, valid=True), tell]).ask()
    assert isinstance(step, Step)
    assert least * 100 <= step.rate_qps <= most * 100


@pytest.mark.parametrize("held", [96.0, 99.5])
def test_a_confirming_run_that_was_late_throughout_leads_little_below_a_rate_that_held(
    held: float,
) -> None:
    tells = [
        Tell("long probe", held, held, 100_000, 10, valid=True),
        Tell("long probe", 104.0, 104.0, 100_000, 90_000, valid=False),
        Tell("confirm", 100.0, 100.0, 10_000, 9_000, valid=False),
    ]
    step = Search(GOAL, tells).ask()
    assert isinstance(step, Step)
    assert step.kind == "confirm"
    assert 0.97 * held <= step.rate_qps <= min(held, 99.0)


def test_no_rate_is_confirmed_that_no_probe_held_while_the_crossing_is_unsure() -> None:
    held = [Tell("probe", 20.0, 20.0, 10_000, 0, valid=True)]
    late = [Tell("probe", 200.0 + n, 200.0 + n, 10_000, 9_000, valid=False) for n in range(8)]
    assert Search(GOAL, [*held, *late]).ask() == Step("confirm", 20.0)


def test_where_nothing_is_confirmed_the_highest_rate_that_a_probe_held_is_named() -> None:
    tells = [Tell("probe", rate, rate, 10_000, 0, valid=True) for rate in (20.0, 30.0)]
    tells += [Tell("confirm", 10.0, 10.0, 10_000, 9_000, valid=False)] * 11
    reason = "no run of full length was VALID within 13 runs; the highest rate that a probe held is"
    assert Search(GOAL, tells).ask() == Answer(None, f"{reason} 30 queries/s")


def test_two_failures_in_a_row_end_the_search_with_their_cause() -> None:
    search = Search(GOAL)
    for _ in range(2):
        step = search.ask()
        assert isinstance(step, Step)
        search.tell(_tell(step, 0, cause="the device is gone"))
    assert search.ask() == Answer(None, "2 runs in a row failed: the device is gone")


def test_any_rate_that_holds_will_do_where_nothing_is_confirmed() -> None:
    search = Search(replace(GOAL, confirm=False, most_runs=3))
    first = search.ask()
    assert first == Step("probe", GOAL.start_qps * FIRST_SHARE)
    search.tell(_tell(first, 9_000))
    second = search.ask()
    assert second == Step("probe", first.rate_qps * NEXT_SHARE)
    search.tell(_tell(second, 1))
    assert search.ask() == Answer(second.rate_qps * KEPT_SHARE)


def test_probes_get_longer_near_the_edge_and_the_confirming_run_lies_below_it() -> None:
    search = Search(GOAL)
    kinds = []
    while isinstance(step := search.ask(), Step):
        kinds.append(step.kind)
        search.tell(_tell(step, 0 if step.rate_qps < 150 else 9_000, queries=100_000))
    assert kinds == sorted(kinds, key=["probe", "long probe", "confirm"].index)
    assert set(kinds) == {"probe", "long probe", "confirm"}
    assert step.rate_qps is not None
    assert 150 * (1 - 2 * MOST_MARGIN) < step.rate_qps < 150


@given(rate=st.floats(10, 1000), late=st.integers(0, 3000), queries=st.integers(10_000, 100_000))
def test_a_run_with_more_late_queries_never_raises_the_belief(
    rate: float, late: int, queries: int
) -> None:
    few, many = (believe(100.0, [Seen(rate, queries, n, 0.01)]) for n in (late, 3 * late + 9))
    assert many.median_qps <= few.median_qps


def test_without_a_run_the_belief_is_the_start() -> None:
    assert believe(250.0, []).median_qps == pytest.approx(250.0, rel=0.01)


def test_a_full_length_run_may_have_what_early_stopping_allows_it() -> None:
    assert GOAL.allowed(100.0) == 42 / 6000
    assert GOAL.allowed(0.5) == 1 / 662
    assert GOAL.allowed(1e5) == pytest.approx(0.01, rel=0.02)
    assert replace(GOAL, full_s=0.1, full_queries=10).allowed(1.0) == 0.05
