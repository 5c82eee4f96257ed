"""Latency curves and the simulated queue, without a clock."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.tuning.curve import curve_from, measure
from harness.tuning.queueing import simulate, sustainable_rate


def _linear(size: int) -> float:
    return 0.008 + 0.00025 * size


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


def test_a_batching_queue_sustains_what_is_known_for_the_law_8_ms_and_a_quarter() -> None:
    rate = sustainable_rate(_linear, 0.050, 0.99, streams=1, max_batch=512, queries=60_000)
    assert rate == pytest.approx(2530, rel=0.06)


def test_a_limit_that_a_lone_query_misses_sustains_nothing() -> None:
    assert sustainable_rate(_linear, 0.005, 0.99, streams=1, max_batch=8) == 0.0


@given(
    rate=st.floats(1, 2000),
    streams=st.integers(1, 4),
    max_batch=st.integers(1, 64),
    seed=st.integers(0, 9),
)
def test_no_query_is_answered_faster_than_its_own_batch(
    rate: float, streams: int, max_batch: int, seed: int
) -> None:
    latencies = simulate(_linear, rate, 200, streams, max_batch, seed)
    assert latencies.shape == (200,)
    assert np.all(latencies >= _linear(1) - 1e-12)
