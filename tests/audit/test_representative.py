"""Which repeat a submission holds: the median one, and never the better half."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.assess import assess
from audit.evidence.folder import read_evidence
from audit.representative import representative
from audit.verdicts import Number, RunVerdict
from tests.audit.written_evidence import Evidence


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunVerdict:
    evidence = Evidence(tmp_path_factory.mktemp("evidence") / "evidence", repeats=1)
    return assess(read_evidence(evidence.folder)).runs[1]


def with_value(run: RunVerdict, value: float) -> RunVerdict:
    assert run.metric is not None
    number = Number(value, run.metric.unit, run.metric.key, run.metric.source)
    return replace(run, metric=number)


def value(run: RunVerdict | None) -> float:
    assert run is not None
    assert run.metric is not None
    return run.metric.value


@pytest.mark.parametrize(
    ("values", "of_rates", "of_latencies"),
    [([3.0], 3, 3), ([3, 1, 2], 2, 2), ([1, 2], 1, 2), ([4, 1, 3, 2], 2, 3)],
)
def test_the_median_and_of_two_the_worse(
    run: RunVerdict, values: list[float], of_rates: float, of_latencies: float
) -> None:
    runs = [with_value(run, one) for one in values]
    assert value(representative(runs, higher_is_better=True)) == of_rates
    assert value(representative(runs, higher_is_better=False)) == of_latencies


@given(values=st.lists(st.floats(1, 1e9), min_size=1, max_size=9), higher=st.booleans())
def test_never_better_than_half_of_them(run: RunVerdict, values: list[float], higher: bool) -> None:
    chosen = value(
        representative([with_value(run, one) for one in values], higher_is_better=higher)
    )
    as_good = [one for one in values if (one >= chosen if higher else one <= chosen)]
    assert len(as_good) > len(values) / 2


def test_only_good_runs_count(run: RunVerdict) -> None:
    bad = replace(with_value(run, 9.0), outcome="failed")
    assert representative([bad, replace(run, metric=None)], higher_is_better=True) is None
    assert value(representative([bad, with_value(run, 1.0)], higher_is_better=True)) == 1.0
