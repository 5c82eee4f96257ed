"""The budget of threads."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from datasets.errors import UsageError
from sut.threads import ThreadBudget, budget

Asked = st.none() | st.integers(1, 64)


@given(streams=Asked, threads=Asked, cores=st.integers(1, 512))
def test_what_is_asked_for_is_kept_and_what_is_open_never_exceeds_the_cores(
    streams: int | None, threads: int | None, cores: int
) -> None:
    assume((streams or 1) * (threads or 1) <= 16 * cores)
    found = budget(streams, threads, cores)
    assert found.streams == (streams or found.streams) >= 1
    assert found.threads == (threads or found.threads) >= 1
    if max(streams or 1, threads or 1) <= cores and None in (streams, threads):
        assert not found.oversubscribed


@pytest.mark.parametrize(
    ("streams", "threads", "expected"),
    [
        (None, None, (1, 8)),
        (2, None, (2, 4)),
        (3, None, (3, 2)),
        (None, 3, (2, 3)),
        (4, 4, (4, 4)),
        (16, None, (16, 1)),
        (None, 16, (1, 16)),
    ],
)
def test_budget_of_eight_cores(
    streams: int | None, threads: int | None, expected: tuple[int, int]
) -> None:
    assert budget(streams, threads, 8) == ThreadBudget(*expected, cores=8)


def test_the_budget_says_what_was_used() -> None:
    assert str(budget(2, None, 8)) == "2 × 4 threads on 8 usable cores"
    assert str(budget(4, 4, 8)) == "4 × 4 threads on 8 usable cores, more than there are, as asked"


@pytest.mark.parametrize(("streams", "threads"), [(0, None), (None, 0), (-1, 2)])
def test_less_than_one_is_refused(streams: int | None, threads: int | None) -> None:
    with pytest.raises(UsageError, match="at least 1"):
        budget(streams, threads, 2)


@pytest.mark.parametrize(
    ("streams", "threads"), [(33, None), (None, 33), (6, 6), (3000, None), (None, 10**20)]
)
def test_more_than_a_machine_can_mean_is_refused(streams: int | None, threads: int | None) -> None:
    with pytest.raises(UsageError, match="more than 16 threads on each of 2 usable cores"):
        budget(streams, threads, 2)


@pytest.mark.parametrize(("streams", "threads"), [(32, None), (None, 32), (4, 8)])
def test_many_threads_a_core_are_allowed(streams: int | None, threads: int | None) -> None:
    assert budget(streams, threads, 2).oversubscribed
