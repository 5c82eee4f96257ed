"""Intervals against published values, and how often they hold the truth."""

from __future__ import annotations

import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.consistency.drift import PARTS, Completions, drift_across, drift_inside
from audit.consistency.intervals import (
    bootstrap_interval,
    cv_interval,
    mean_interval,
    runs_to_decide,
)
from audit.consistency.outliers import outliers

VALUES = st.lists(st.floats(1.0, 1e6), min_size=5, max_size=12)


def test_the_interval_of_the_mean_is_students() -> None:
    assert mean_interval([1.0, 4.0], 0.95).low == 0
    interval = mean_interval([1, 2, 3, 4, 5], 0.95)
    reach = 2.776445 * 1.5811388 / 5**0.5
    assert (interval.low, interval.high) == pytest.approx((3 - reach, 3 + reach))


def test_the_interval_of_the_spread_is_chi_squares() -> None:
    interval = cv_interval(2.0, 5, 0.95)
    expected = (2 * (4 / 11.143287) ** 0.5, 2 * (4 / 0.484419) ** 0.5)
    assert (interval.low, interval.high) == pytest.approx(expected, rel=1e-5)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    random = np.random.default_rng(11)
    samples = 100 + 2 * random.standard_normal((400, 5))
    means = [mean_interval(one.tolist(), 0.95).holds(100) for one in samples]
    cvs = [cv_interval(100 * one.std(ddof=1) / one.mean(), 5, 0.95).holds(2) for one in samples]
    assert 0.92 < statistics.fmean(means) < 0.98
    assert 0.92 < statistics.fmean(cvs) < 0.98


@given(VALUES)
def test_a_bootstrap_interval_lies_inside_the_values_and_repeats(values: list[float]) -> None:
    interval = bootstrap_interval(values, 0.95, 1000, 7)
    assert interval == bootstrap_interval(values, 0.95, 1000, 7)
    rounding = 1e-9 * max(values)
    assert min(values) - rounding <= interval.low <= interval.high <= max(values) + rounding


def test_more_runs_decide_the_sooner_the_farther_the_limit() -> None:
    near, far = (runs_to_decide(cv, 5, 3.0, 0.95) for cv in (2.5, 1.5))
    assert near is not None and far is not None
    assert near > far > 5
    assert runs_to_decide(0.5, 5, 3.0, 0.95) == 5
    assert runs_to_decide(3.0, 5, 3.0, 0.95) is None


@given(VALUES, st.floats(0.1, 1000))
def test_a_drift_does_not_depend_on_the_unit(values: list[float], factor: float) -> None:
    drift = drift_across(values, 0.95)
    scaled = drift_across([factor * value for value in values], 0.95)
    assert scaled.percent == pytest.approx(drift.percent, rel=1e-6, abs=1e-6)


def test_a_straight_line_is_a_drift_without_doubt() -> None:
    drift = drift_across([100, 105, 110, 115, 120], 0.95)
    assert drift.percent == pytest.approx(100 * 20 / 110)
    assert drift.p < 1e-6
    assert drift.interval.low == pytest.approx(drift.interval.high)


def test_a_change_inside_a_run_is_that_of_its_outer_thirds() -> None:
    counts = (10,) * 40 + (15,) * 40 + (20,) * 40 + (3,)
    drift = drift_inside(Completions(10, counts), 0.95)
    assert drift is not None
    assert drift.percent == pytest.approx(100)
    assert drift.p == 0.0


@pytest.mark.parametrize("counts", [(), (5,) * PARTS, (0,) * 8 * PARTS])
def test_a_run_with_too_little_in_it_has_no_drift(counts: tuple[int, ...]) -> None:
    assert drift_inside(Completions(10, counts), 0.95) is None


def test_noise_is_seldom_an_outlier_and_two_do_not_hide_each_other() -> None:
    random = np.random.default_rng(3)
    alarms = sum(bool(outliers(random.standard_normal(5).tolist(), 0.05)) for _ in range(400))
    assert alarms <= 32
    values = (100 + random.standard_normal(10)).tolist()
    values[2], values[7] = 85.0, 84.0
    assert set(outliers(values, 0.05)) == {2, 7}


def test_three_runs_have_no_outliers() -> None:
    assert outliers([1.0, 1.0, 9.0], 0.05) == ()


def test_a_run_beside_equal_ones_is_an_outlier() -> None:
    assert outliers([5.0, 5.0, 5.0, 5.0, 6.0], 0.05) == (4,)
    assert outliers([5.0] * 5, 0.05) == ()
