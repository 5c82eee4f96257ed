"""Which recommendation is put to a run of LoadGen, what that run asks for, and what follows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.rules import load_round
from audit.runs.early_stopping import min_queries
from harness.report.sweep import render
from harness.running.supervisor import RunResult
from harness.spec import SCENARIOS, BackendSpec, DatasetRef, Scenario
from harness.sweep.confirmation import (
    MOST_TRIES,
    TOLERANCE,
    Confirmation,
    asked_of,
    decided,
    next_to_run,
)
from harness.sweep.grid import Configuration
from harness.sweep.recommend import Recommendation
from harness.sweep.record import SweepRecord, read_record, write_record
from harness.sweep.short_run import Subject, confirmation_of, spec_of
from tests.audit.written_logs import performance, write_detail
from tests.harness.plans import MODEL, SHA

DATASET = DatasetRef("items", "imagenet", "items", SHA, 500, "embedded")
SUBJECT = Subject(
    "resnet50", load_round("v6.1"), BackendSpec("onnxruntime", "cpu", (0, 1)), MODEL, DATASET
)


def _configuration(batch: int) -> Configuration:
    return Configuration("onnxruntime", "fp32", None, 2, 1, batch)


def _ranked(*rates: float, scenario: Scenario = "Offline") -> tuple[Recommendation, ...]:
    """Candidates with batches 1, 2, … and these predicted rates."""
    return tuple(
        Recommendation(scenario, _configuration(batch), rate, 1.0, None, "highest throughput")
        for batch, rate in enumerate(rates, 1)
    )


def _asked(scenario: Scenario = "Offline", rate: float = 100.0, batch: int = 1) -> Confirmation:
    limit_ms = 15.0 if scenario == "Server" else None
    return asked_of(scenario, _configuration(batch), "key", limit_ms, rate)


def _seen(one: Recommendation, measured: float) -> Confirmation:
    assert one.configuration
    asked = _asked(one.scenario, one.samples_per_s or 0.0, one.configuration.batch)
    return replace(asked, measured_per_s=measured, verdict="VALID")


def test_the_first_is_recommended_where_its_run_bears_it_out() -> None:
    ranked = _ranked(100, 90)
    assert next_to_run(ranked, []) == ranked[0]
    seen = [_seen(ranked[0], 86)]
    assert next_to_run(ranked, seen) is None
    assert decided(ranked, seen) == replace(ranked[0], borne_out=True)


def test_one_that_is_not_borne_out_gives_way_to_the_next() -> None:
    ranked = _ranked(100, 90)
    seen = [_seen(ranked[0], 60)]
    assert next_to_run(ranked, seen) == ranked[1]
    seen.append(_seen(ranked[1], 88))
    assert next_to_run(ranked, seen) is None
    assert decided(ranked, seen) == replace(ranked[1], borne_out=True)


def test_no_other_is_tried_of_which_less_is_predicted_than_was_measured() -> None:
    ranked = _ranked(100, 70)
    seen = [_seen(ranked[0], 80)]
    assert next_to_run(ranked, seen) is None
    assert decided(ranked, seen) == replace(ranked[0], borne_out=False)


def test_what_nothing_bears_out_is_marked_and_the_fastest_that_was_valid_stays() -> None:
    ranked = _ranked(100, 90, 80, 70)
    seen = [_seen(one, measured) for one, measured in zip(ranked, (30, 40, 35), strict=False)]
    assert len(seen) == MOST_TRIES
    assert next_to_run(ranked, seen) is None
    assert decided(ranked, seen) == replace(ranked[1], borne_out=False)
    failed = [replace(one, verdict="FAILED") for one in seen]
    assert decided(ranked, failed) == replace(ranked[0], borne_out=False)


def test_without_a_run_nothing_is_said_of_it() -> None:
    ranked = _ranked(100)
    assert decided(ranked, []) == ranked[0]
    none = (Recommendation("Server", None, None, None, None, "no limit"),)
    assert next_to_run(none, []) is None


@given(
    rates=st.lists(st.floats(1, 1000), min_size=1, max_size=6),
    shares=st.lists(st.floats(0.01, 2), min_size=6, max_size=6),
    valid=st.lists(st.booleans(), min_size=6, max_size=6),
)
def test_trying_ends_and_only_what_was_borne_out_is_called_so(
    rates: list[float], shares: list[float], valid: list[bool]
) -> None:
    ranked = _ranked(*sorted(rates, reverse=True))
    seen: list[Confirmation] = []
    while candidate := next_to_run(ranked, seen):
        share, good = shares[len(seen)], valid[len(seen)]
        found = _seen(candidate, share * (candidate.samples_per_s or 0.0))
        seen.append(found if good else replace(found, verdict="INVALID"))
    assert 1 <= len(seen) <= min(MOST_TRIES, len(ranked))
    chosen = decided(ranked, seen)
    of_it = [one for one in seen if one.configuration == chosen.configuration]
    assert chosen.borne_out == of_it[0].borne_out
    assert chosen.borne_out == any(one.borne_out for one in seen)


def test_a_run_asks_for_what_was_predicted_with_the_counts_of_the_quick_suite() -> None:
    for scenario in SCENARIOS:
        spec = spec_of(_asked(scenario, 1000.0, batch=8), SUBJECT, 3.0)
        assert (spec.scenario, spec.mode, spec.round) == (scenario, "performance", "v6.1")
        assert (spec.loadgen.min_duration_ms, spec.loadgen.performance_sample_count) == (3000, 500)
        assert (spec.batching.max_batch, spec.batching.streams, spec.batching.threads) == (8, 2, 1)
        assert "not a measurement" in spec.notes[0]
    offline = spec_of(_asked("Offline", 1000.0, batch=8), SUBJECT, 3.0).loadgen
    assert (offline.target_qps, offline.min_query_count) == (2000.0, 6 * 8 * 2 * 2)
    assert spec_of(_asked("SingleStream", 100.0), SUBJECT, 60.0).loadgen.min_duration_ms == 6000
    multi = spec_of(_asked("MultiStream", 1000.0), SUBJECT, 3.0).loadgen
    assert (multi.expected_latency_ns, multi.min_query_count) == (1_600_000, 64)


@pytest.mark.parametrize(("rate", "percentile"), [(1000.0, 0.99), (10.0, 0.9)])
def test_a_server_run_is_sent_less_by_the_tolerance_and_valid_for_what_it_can_tell(
    rate: float, percentile: float
) -> None:
    told = spec_of(_asked("Server", rate), SUBJECT, 3.0).loadgen
    assert told.target_qps == pytest.approx(rate * (1 - TOLERANCE))
    assert (told.target_latency_ns, told.percentile) == (15_000_000, percentile)
    assert told.min_query_count == min_queries(percentile, 1)


@pytest.mark.parametrize(
    ("scenario", "entries", "measured"),
    [
        ("Offline", {"result_samples_per_second": 90.0}, 90.0),
        ("Server", {"result_completed_samples_per_sec": 84.0}, 84.0),
        ("SingleStream", {"result_mean_latency_ns": 10_000_000}, 100.0),
        ("MultiStream", {"result_mean_query_latency_ns": 100_000_000}, 80.0),
    ],
)
def test_what_a_run_showed_stands_in_loadgens_own_log(
    tmp_path: Path, scenario: Scenario, entries: dict[str, float], measured: float
) -> None:
    asked = _asked(scenario)
    spec = spec_of(asked, SUBJECT, 3.0)
    write_detail(tmp_path / "mlperf_log_detail.txt", performance(scenario, **entries))
    found = confirmation_of(asked, spec, RunResult(tmp_path, {"outcome": "finished"}))
    assert (found.verdict, found.percentile) == ("VALID", spec.loadgen.percentile)
    assert found.measured_per_s == pytest.approx(measured)
    assert found.is_about(asked)
    assert not found.is_about(replace(asked, request="another machine"))
    broken = RunResult(tmp_path, {"outcome": "failed", "cause": "it broke"})
    failed = confirmation_of(asked, spec, broken)
    assert (failed.verdict, failed.cause, failed.borne_out) == ("FAILED", "it broke", False)
    assert not failed.is_about(asked)


def test_a_server_run_that_is_invalid_bears_nothing_out_however_much_it_completed() -> None:
    (server,) = _ranked(100, scenario="Server")
    seen = _seen(server, 85)
    assert seen.borne_out
    assert not replace(seen, verdict="INVALID").borne_out


def test_runs_are_read_back_and_shown_beside_what_was_predicted(tmp_path: Path) -> None:
    ranked, path = _ranked(120, 110), tmp_path / "sweep.json"
    slow = replace(_seen(ranked[0], 60), percentile=None)
    seen = (slow, _seen(ranked[1], 107))
    (server,) = _ranked(100, scenario="Server")
    late = replace(_seen(server, 85), verdict="INVALID", percentile=0.99)
    broken = replace(_asked("SingleStream"), cause="it broke")
    advice = (decided(ranked, seen), decided((server,), [late]))
    record = SweepRecord("resnet50", 3.0, confirmations=(*seen, late), recommendations=advice)
    write_record(record, path)
    kept = read_record(path)
    assert kept is not None
    assert kept.confirmations == record.confirmations
    assert SweepRecord("resnet50", 3.0).with_step(broken).with_rest_of(kept, ()).confirmations == (
        broken,
        *record.confirmations,
    )
    lines = render(record, []).splitlines()
    assert "    predicted 110/s, measured 107/s, VALID" in lines
    first = str(_configuration(1))
    assert f"    not borne out: {first}: predicted 120/s, measured 60/s, VALID" in lines
    assert (
        "    NOT BORNE OUT: predicted 100/s, measured 85/s, INVALID "
        "(sent 85 % of that, 99 % within 15 ms)" in lines
    )
    assert "Borne out: VALID, and no more than 15 % below what was predicted" in lines
    assert lines[-1] == "`loadproof search` finds the rate at which Server is VALID"
