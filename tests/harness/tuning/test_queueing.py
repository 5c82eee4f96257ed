"""The simulated queue, without a clock."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.tuning.queueing import simulate, sustainable_rate


def _linear(size: int) -> float:
    return 0.008 + 0.00025 * size


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
