"""Latency curves, without a clock."""

from __future__ import annotations

import pytest

from harness.running.curve import curve_from, measure


def test_a_curve_passes_through_its_points_and_along_lines_between_them() -> None:
    curve = curve_from({1: 0.010, 4: 0.016, 8: 0.020})
    assert curve.batch_s(1) == 0.010
    assert curve.batch_s(8) == 0.020
    assert curve.batch_s(2) == pytest.approx(0.012)
    assert curve.batch_s(16) == pytest.approx(0.040)


def test_the_smallest_batch_that_is_as_good_as_any_is_best() -> None:
    assert curve_from({1: 0.030, 2: 0.040, 4: 0.079, 8: 0.158}).best_size == 2


def test_measuring_stops_when_larger_batches_stop_paying() -> None:
    asked: list[int] = []

    def time_batch(size: int) -> float:
        asked.append(size)
        return 0.5 if size == 1 else 0.1 * size

    curve = measure(time_batch, (1, 2, 4, 8, 16, 32), per_size_s=0.0)
    assert max(asked) == 8
    assert curve.best_size == 2


def test_measuring_stops_after_a_batch_that_takes_too_long() -> None:
    curve = measure(lambda size: 2.0 * size**0.5, (1, 2, 4, 8), per_size_s=0.0)
    assert curve.sizes == (1, 2, 4)


def test_measuring_takes_the_median() -> None:
    times = iter([9.0, 1.0, 5.0, 1.2])
    assert measure(lambda _: next(times), (1,), per_size_s=0.0).seconds == (1.2,)
