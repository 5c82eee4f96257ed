"""The frame of the benchmarks: what is judged of pairs, and how it is told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks import report
from tests.benchmarks.__main__ import benchmarks
from tests.benchmarks.benchmark import Benchmark, Figure, Pair, Place, Round, outcomes

pairs = st.lists(
    st.tuples(st.floats(0.1, 1e6), st.floats(0.1, 1e6)).map(lambda both: Pair(*both)),
    min_size=1,
    max_size=7,
)


def never(place: Place, rounds: int) -> Iterator[Round]:
    raise AssertionError("not measured here")


def of(*figures: Figure) -> Benchmark:
    return Benchmark("a-benchmark", "ours", "theirs", figures, never)


@given(pairs, st.booleans())
def test_the_median_of_the_pairs_is_judged(measured: list[Pair], excess: bool) -> None:
    figure = Figure("speed", "1/s", least=0.98, excess=excess)
    (outcome,) = outcomes(of(figure), [{"speed": pair} for pair in measured])
    judged = sorted(ours - theirs if excess else ours / theirs for ours, theirs in measured)
    middle = len(judged) // 2
    assert judged[(len(judged) - 1) // 2] <= outcome.value <= judged[middle]
    assert outcome.holds == (outcome.value >= 0.98)
    (written,) = report.document([outcome])
    assert (written["lowest"], written["highest"]) == (judged[0], judged[-1])


@pytest.mark.parametrize(
    ("figure", "pair", "holds"),
    [
        (Figure("a", "s", least=0.5), Pair(1, 2), True),
        (Figure("a", "s", least=0.5), Pair(1, 3), False),
        (Figure("a", "s", most=3, excess=True), Pair(5, 2), True),
        (Figure("a", "s", most=3, excess=True), Pair(6, 2), False),
        (Figure("a", "s"), Pair(6, 2), None),
    ],
)
def test_a_prediction_holds_or_is_missed(figure: Figure, pair: Pair, holds: bool | None) -> None:
    (outcome,) = outcomes(of(figure), [{"a": pair}])
    assert outcome.holds is holds


def test_a_line_tells_both_sides_the_spread_and_the_prediction() -> None:
    figure = Figure("latency", "µs", most=40, excess=True)
    rounds = [{"latency": Pair(1020 + extra, 1000)} for extra in (0, 10, 30)]
    line = report.table(outcomes(of(figure), rounds)).splitlines()[-1]
    for part in ("a-benchmark", "1030", "1000", "+30", "+20 … +50", "≤ 40 µs", "holds"):
        assert part in line


def test_every_benchmark_has_a_name_of_its_own_and_says_what_it_compares() -> None:
    known = benchmarks()
    assert {"offline-resnet50-onnxruntime", "server-simulated", "prepare-images"} <= set(known)
    assert all(made.ours and made.reference and made.figures for made in known.values())
