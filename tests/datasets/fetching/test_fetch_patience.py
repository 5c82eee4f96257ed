"""When a place that fails is asked again, and when it is given up."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from datasets.fetching.patience import Patience, Retries

MIB = 1 << 20


def _pauses_s(arrived: list[int], patience: Patience) -> list[float]:
    """The pauses until the place is given up, or all failures are told."""
    pauses: list[float] = []
    slept = Patience(patience.tries, patience.first_pause_s, sleep=pauses.append)
    retries = Retries(slept, 0)
    for arrived_bytes in arrived:
        retries.failed(arrived_bytes)
        if retries.exhausted:
            break
        retries.pause(0)
    return pauses


def test_pauses_double_up_to_the_longest() -> None:
    assert _pauses_s([0] * 20, Patience(tries=9)) == [1, 2, 4, 8, 16, 32, 60, 60]


def test_a_long_file_comes_through_a_bad_line() -> None:
    assert _pauses_s([MIB * step for step in range(1, 50)], Patience()) == [1] * 49


@given(st.lists(st.integers(0, MIB - 1), min_size=5))
def test_coming_and_going_is_no_progress(arrived: list[int]) -> None:
    assert _pauses_s(arrived, Patience(tries=5)) == [1, 2, 4, 8]


@given(st.lists(st.integers(0, 10 * MIB)))
def test_a_finite_file_takes_finitely_many_tries(arrived: list[int]) -> None:
    assert len(_pauses_s(arrived * 100, Patience(tries=5))) <= 5 * 11
