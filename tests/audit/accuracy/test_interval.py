"""Confidence intervals of scores: as published, inside 0 and 100, and never without a width."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.accuracy.interval import share_interval


@pytest.mark.parametrize(
    ("right", "total", "low", "high"),
    [
        (81, 263, 25.53, 36.62),
        (15, 148, 6.24, 16.05),
        (0, 20, 0.0, 16.11),
        (1, 29, 0.61, 17.18),
    ],
)
def test_published_intervals(right: int, total: int, low: float, high: float) -> None:
    """Newcombe 1998, Statistics in Medicine 17, Table I, method 3."""
    found = share_interval(100 * right / total, total)
    assert [found.low, found.high] == pytest.approx([low, high], abs=0.006)


def test_many_questions_have_the_normal_interval_of_their_mean() -> None:
    found = share_interval(90.0, 10_570, 25.0)
    reach = 1.959964 * 25.0 / math.sqrt(10_570)
    assert found.low == pytest.approx(90.0 - reach, abs=0.02)
    assert found.high == pytest.approx(90.0 + reach, abs=0.02)


def test_answers_between_right_and_wrong_are_surer_than_a_share() -> None:
    wide, narrow = share_interval(90.0, 100), share_interval(90.0, 100, 10.0)
    assert wide.low < narrow.low < 90 < narrow.high < wide.high


@given(st.integers(1, 100_000), st.floats(0, 1), st.none() | st.floats(0.01, 50))
def test_the_score_lies_inside_and_the_interval_has_a_width(
    total: int, share: float, stdev: float | None
) -> None:
    percent = 100 * round(share * total) / total
    found = share_interval(percent, total, stdev)
    assert 0 <= found.low <= percent + 1e-9
    assert percent - 1e-9 <= found.high <= 100
    assert found.low < found.high


@given(st.integers(1, 100_000))
def test_the_worst_and_the_best_score_are_ends_of_their_intervals(total: int) -> None:
    assert share_interval(0.0, total).low == 0.0
    assert share_interval(100.0, total).high == 100.0
