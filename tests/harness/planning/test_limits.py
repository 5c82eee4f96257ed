"""Which limit Server is measured under, and the sentence that says why."""

from __future__ import annotations

import pytest

from audit.rules import load_round
from harness.planning.limits import server_limit
from harness.running.curve import curve_from

RULES = load_round("v6.1")


@pytest.mark.parametrize("single_ms", [0.2, 5.0, 9.9])
def test_the_rounds_limit_where_the_machine_can_meet_it(single_ms: float) -> None:
    limit = server_limit(RULES.benchmark("resnet50"), curve_from({1: single_ms / 1000}), 5)
    assert (limit.limit_ns, limit.official) == (15_000_000, True)
    assert limit.note == "Server limit 15 ms: the round's"


@pytest.mark.parametrize(("single_ms", "limit_ms"), [(10.1, 50.5), (12.34, 61.7), (700.0, 3500.0)])
def test_a_stated_limit_where_a_query_takes_too_long(single_ms: float, limit_ms: float) -> None:
    limit = server_limit(RULES.benchmark("resnet50"), curve_from({1: single_ms / 1000}), 5)
    assert (limit.limit_ns, limit.official) == (round(limit_ms * 1e6), False)
    assert limit.note == (
        f"Server limit {limit_ms:g} ms, 5 × the single-query latency, not comparable: a single "
        f"query takes {single_ms:.1f} ms, too long for the round's limit of 15 ms"
    )


def test_a_stated_limit_where_the_round_has_none() -> None:
    limit = server_limit(RULES.benchmark("bert"), curve_from({1: 0.040}), 5)
    assert (limit.limit_ns, limit.official) == (200_000_000, False)
    assert "the round has no Server limit for this benchmark" in limit.note


def test_a_limit_of_our_own_is_a_millisecond_at_least() -> None:
    limit = server_limit(RULES.benchmark("bert"), curve_from({1: 0.000_02}), 5)
    assert limit.limit_ns == 1_000_000
