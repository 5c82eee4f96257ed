"""Early stopping, against its published numbers, brute force and logs of real runs."""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.special import betainc

from audit.runs.early_stopping import late_allowed, min_queries, passes
from audit.runs.stopping_needs import StoppingNeeds

PERCENTILES = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.97, 0.99])


@pytest.mark.parametrize(
    ("percentile", "late", "queries"),
    [(0.9, 0, 44), (0.9, 1, 64), (0.99, 0, 459), (0.99, 1, 662)],
)
def test_published_query_counts(percentile: float, late: int, queries: int) -> None:
    assert min_queries(percentile, late) == queries


def chance_of_so_few(percentile: float, queries: int, late: int) -> float:
    """The chance of at most ``late`` late ones if each is late with chance 1 - percentile."""
    return sum(
        comb(queries, k) * (1 - percentile) ** k * percentile ** (queries - k)
        for k in range(late + 1)
    )


@given(percentile=PERCENTILES, late=st.integers(0, 6))
def test_min_queries_is_the_first_that_the_binomial_accepts(percentile: float, late: int) -> None:
    queries = late + 1
    while chance_of_so_few(percentile, queries, late) > 0.01:
        queries += 1
    assert min_queries(percentile, late) == queries


@given(percentile=PERCENTILES, processed=st.integers(1, 5000))
def test_late_allowed_is_the_last_that_passes(percentile: float, processed: int) -> None:
    allowed = late_allowed(percentile, processed)
    if allowed is None:
        assert min_queries(percentile, 0) > processed
    else:
        assert passes(percentile, processed - allowed, allowed)
        assert not passes(percentile, processed - allowed - 1, allowed + 1)


@given(percentile=PERCENTILES, digits=st.floats(0, 7))
@example(percentile=0.9, digits=6)
@example(percentile=0.5, digits=9)
@example(percentile=0.99, digits=12)
def test_late_allowed_is_where_the_incomplete_beta_function_says(
    percentile: float, digits: float
) -> None:
    processed = int(10**digits)
    allowed = late_allowed(percentile, processed)
    known = -1 if allowed is None else allowed
    chances = [betainc(processed - late, late + 1, percentile) for late in (known, known + 1)]
    assert known < 0 or chances[0] <= 0.01
    assert known + 1 == processed or chances[1] > 0.01


@pytest.mark.parametrize(
    ("percentile", "processed", "discarded"),
    [
        (0.9, 201, 9),
        (0.9, 19_234, 1_825),
        (0.9, 644_736, 63_912),
        (0.9, 1_963_571, 195_378),
        (0.9, 1_973_764, 196_394),
        (0.99, 2_706, 14),
        (0.99, 1_235_124, 12_093),
        (0.99, 1_241_152, 12_152),
    ],
)
def test_agrees_with_what_loadgen_discarded_in_real_runs(
    percentile: float, processed: int, discarded: int
) -> None:
    """LoadGen's estimate is the last query it keeps: one fewer is discarded than may be late."""
    assert late_allowed(percentile, processed) == discarded + 1


def test_queries_still_needed() -> None:
    assert StoppingNeeds(0.99, processed=147, late=0).more == 312
    assert StoppingNeeds(0.99, processed=459, late=0).more == 0
    assert StoppingNeeds(0.99, processed=459, late=1).more == 662 - 459


@pytest.mark.parametrize(("percentile", "late"), [(0.0, 0), (1.0, 0), (0.9, -1)])
def test_nonsense_is_refused(percentile: float, late: int) -> None:
    with pytest.raises(ValueError, match="no early stopping"):
        min_queries(percentile, late)
