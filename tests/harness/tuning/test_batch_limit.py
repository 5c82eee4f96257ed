"""Server's largest batch is one with which the simulated queue takes the highest rate."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.running.curve import LatencyCurve, curve_from
from harness.tuning.batch_limit import best_max_batch
from harness.tuning.queueing import sustainable_rate

SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
LIMIT_S = 0.05
PERCENTILE = 0.99


def line(base_s: float, per_sample_s: float) -> LatencyCurve:
    return curve_from({size: base_s + per_sample_s * size for size in SIZES})


def rate(curve: LatencyCurve, limit_s: float, streams: int, max_batch: int) -> float:
    return sustainable_rate(curve.batch_s, limit_s, PERCENTILE, streams, max_batch)


@pytest.mark.parametrize("streams", [2, 4])
def test_with_several_streams_a_bounded_batch_serves_more_than_any(streams: int) -> None:
    curve = line(0.008, 0.00025)
    chosen = best_max_batch(curve, LIMIT_S, PERCENTILE, streams, 256)
    bounded, any_size = (rate(curve, LIMIT_S, streams, most) for most in (chosen, 256))
    assert bounded > 1.08 * any_size


def test_batches_that_gain_nothing_are_not_made() -> None:
    assert best_max_batch(line(0.0, 0.002), LIMIT_S, PERCENTILE, 1, 256) == 1


def test_where_no_rate_holds_the_largest_batch_stays() -> None:
    assert best_max_batch(line(0.2, 0.001), LIMIT_S, PERCENTILE, 1, 24) == 24


@given(
    base_s=st.floats(0.0, 0.02),
    per_sample_s=st.floats(0.0001, 0.004),
    streams=st.integers(1, 3),
    largest=st.integers(1, 64),
)
@settings(max_examples=10, deadline=None)
def test_no_larger_batch_is_chosen_than_allowed_and_none_serves_clearly_more(
    base_s: float, per_sample_s: float, streams: int, largest: int
) -> None:
    curve = line(base_s, per_sample_s)
    chosen = best_max_batch(curve, LIMIT_S, PERCENTILE, streams, largest)
    assert 1 <= chosen <= largest
    ours = rate(curve, LIMIT_S, streams, chosen)
    assert all(
        ours >= 0.93 * rate(curve, LIMIT_S, streams, size)
        for size in {1, 4, largest}
        if size <= largest
    )
