"""Numbers are written as people read them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.quantities import duration


@pytest.mark.parametrize(
    ("nanoseconds", "text"),
    [
        (15e6, "15 ms"),
        (822, "822 ns"),
        (600.0521e9, "600.1 s"),
        (22222.4e9, "22222 s"),
        (-22222.4e9, "-22222 s"),
    ],
)
def test_a_duration_has_the_unit_that_fits(nanoseconds: float, text: str) -> None:
    assert duration(nanoseconds) == text


@given(nanoseconds=st.integers(-(10**18), 10**18))
def test_a_duration_is_never_written_as_a_power_of_ten(nanoseconds: int) -> None:
    assert "e" not in duration(nanoseconds)
