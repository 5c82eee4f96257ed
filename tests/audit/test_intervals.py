"""Intervals against published values, and how often they hold the truth."""

from __future__ import annotations

import statistics

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from audit.consistency.drift import PARTS, Completions, drift_across, drift_inside
from audit.consistency.outliers import outliers, stands_apart
from audit.intervals import (
    Interval,
    bootstrap_interval,
    cv_interval,
    mean_interval,
    runs_to_decide,
)

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


def test_an_interval_holds_its_lower_end_and_not_its_upper() -> None:
    assert Interval(1.0, 2.0).holds(1.0)
    assert not Interval(1.0, 2.0).holds(2.0)


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


@given(st.lists(st.integers(100, 200), min_size=3, max_size=9, unique=True))
def test_a_drift_across_runs_is_students_t_test_of_the_slope(values: list[int]) -> None:
    drift, fitted = drift_across(values, 0.95), stats.linregress(range(len(values)), values)
    assert drift.p == pytest.approx(fitted.pvalue, abs=1e-9)
    scale = 100 * (len(values) - 1) / statistics.fmean(values)
    assert drift.percent == pytest.approx(scale * fitted.slope)
    reach = scale * fitted.stderr * stats.t.ppf(0.975, len(values) - 2)
    assert drift.interval.high - drift.percent == pytest.approx(reach, abs=1e-9)


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


@given(st.lists(st.integers(0, 100), min_size=PARTS, max_size=PARTS))
def test_a_drift_inside_is_students_t_test_of_the_outer_thirds(counts: list[int]) -> None:
    first, last = counts[: PARTS // 3], counts[-PARTS // 3 :]
    # SciPy warns where one of both has no spread at all.
    assume(len(set(first)) > 1 and len(set(last)) > 1)
    drift = drift_inside(Completions(10, (*counts, 0)), 0.95)
    assert drift is not None
    expected = stats.ttest_ind(last, first)
    assert drift.p == pytest.approx(expected.pvalue)
    low, high = (100 * end / statistics.fmean(first) for end in expected.confidence_interval(0.95))
    assert (drift.interval.low, drift.interval.high) == pytest.approx((low, high))


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


@pytest.mark.parametrize(
    ("runs", "critical"), [(4, 1.481), (5, 1.715), (6, 1.887), (7, 2.020), (10, 2.290)]
)
def test_one_run_apart_is_judged_by_the_published_values_of_grubbs(
    runs: int, critical: float
) -> None:
    """F. E. Grubbs and G. Beck, Technometrics 14 (1972), two-sided, 5 %; here of the last run."""
    rest = [-1.0, 1.0, *([0.0] * (runs - 3))]

    def deviate(last: float) -> float:
        values = np.array([*rest, last])
        return float((last - values.mean()) / values.std(ddof=1))

    near, far = (
        next(last for last in np.arange(1.0, 50, 0.001) if deviate(last) > bound)
        for bound in (critical - 0.005, critical + 0.005)
    )
    assert not stands_apart(near, rest, 0.05)
    assert stands_apart(far, rest, 0.05)


def test_three_runs_have_no_outliers() -> None:
    assert outliers([1.0, 1.0, 9.0], 0.05) == ()


def test_a_run_beside_equal_ones_is_an_outlier() -> None:
    assert outliers([5.0, 5.0, 5.0, 5.0, 6.0], 0.05) == (4,)
    assert outliers([5.0] * 5, 0.05) == ()
