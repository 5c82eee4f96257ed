"""The record of completions: compact whatever the length of a run, and nothing is lost in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.disk.cache import default_cache
from harness.running.completions import MOST_INTERVALS, START_MS, CompletionRecord
from harness.running.patience import Patience
from harness.running.supervisor import supervise
from harness.spec import Scenario
from harness.stop import StopRequests
from tests.harness.specs import simulated_spec

MS = 1_000_000
STEPS = st.lists(st.tuples(st.integers(0, 3_600_000), st.integers(1, 64)), max_size=60)


def test_samples_are_counted_in_their_interval_from_the_first_completion_on() -> None:
    record = CompletionRecord()
    for at_ms, samples in ((500, 7), (505, 1), (509, 2), (510, 3), (545, 4)):
        record.add(samples, at_ms * MS)
    assert record.document(even=True) == {
        "interval_ms": START_MS,
        "counts": [3, 3, 0, 0, 4],
        "even": True,
    }


def test_a_run_of_one_batch_has_no_intervals() -> None:
    record = CompletionRecord()
    assert record.document(even=False)["counts"] == []
    record.add(100, 5 * MS)
    assert record.document(even=False)["counts"] == []


@given(STEPS)
def test_no_sample_is_lost_and_the_record_never_grows(steps: list[tuple[int, int]]) -> None:
    record, now_ms = CompletionRecord(), 0
    record.add(1, 0)
    for step_ms, samples in steps:
        now_ms += step_ms
        record.add(samples, now_ms * MS)
    document = record.document(even=True)
    assert sum(document["counts"]) == sum(samples for _, samples in steps)
    assert len(document["counts"]) <= MOST_INTERVALS
    assert document["interval_ms"] * len(document["counts"]) <= now_ms + document["interval_ms"]
    assert not document["counts"] or document["counts"][-1] > 0


def test_a_longer_run_is_the_same_rate_in_longer_intervals() -> None:
    record = CompletionRecord()
    for at_ms in range(0, 60_001, 5):
        record.add(2, at_ms * MS)
    document = record.document(even=True)
    assert document["interval_ms"] == 160
    assert set(document["counts"][1:-1]) == {2 * 160 // 5}


@pytest.mark.parametrize(("scenario", "even"), [("MultiStream", True), ("Server", False)])
def test_a_finished_run_holds_its_completions(
    tmp_path: Path, scenario: Scenario, even: bool
) -> None:
    spec = simulated_spec(default_cache(), scenario)
    record = supervise(spec, tmp_path / "run", StopRequests(), Patience()).record
    completions = record["completions"]
    first_batch = record["samples"]["completed"] - sum(completions["counts"])
    assert 0 < first_batch <= 8
    assert completions["even"] is even
