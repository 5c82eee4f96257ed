"""Carrying out a search: what is asked of each run, what is told, and going on after a stop."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit.runs.early_stopping import min_queries
from harness.planning.server_rate import new_search
from harness.tuning import rate_search
from harness.tuning.rate_search import carry_out
from harness.tuning.search import Answer, Step
from harness.tuning.search_record import SearchRecord, read_record, write_record
from harness.tuning.told import LATE_IN_LONG_PROBE, LONGEST_SHARE, NOTE, spec_of, told
from tests.harness.plans import inputs
from tests.harness.probing import LIMIT_QPS, Runs, bench


def test_the_search_is_recorded_with_its_answer_and_done_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = Runs()
    monkeypatch.setattr(rate_search, "supervise", runs)
    begun, at = new_search(inputs("official"), 12, confirm=True), bench(tmp_path)
    found = carry_out(begun, at)
    assert found.answer is not None
    assert 0.95 * LIMIT_QPS <= (found.answer.rate_qps or 0) < LIMIT_QPS
    assert read_record(at.record) == found
    assert [folder.name for folder in runs.folders] == [
        f"probe_{number}" for number in range(1, len(found.tells) + 1)
    ]
    done = len(runs.asked)
    assert carry_out(found, at) == found
    assert len(runs.asked) == done


def test_a_search_that_was_stopped_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, at = new_search(inputs("official"), 12, confirm=True), bench(tmp_path / "stopped")
    monkeypatch.setattr(rate_search, "supervise", Runs(stop_at=4))
    with pytest.raises(InterruptedError):
        carry_out(begun, at)
    kept = read_record(at.record)
    assert kept is not None
    assert len(kept.tells) == 3
    assert kept.same_search(replace(begun, goal=replace(begun.goal, start_qps=1.0)))
    assert not kept.same_search(replace(begun, spec=begun.spec.at(target_latency_ns=1)))
    rest = Runs()
    monkeypatch.setattr(rate_search, "supervise", rest)
    found = carry_out(kept, at)
    monkeypatch.setattr(rate_search, "supervise", Runs())
    assert found == carry_out(begun, bench(tmp_path / "whole"))
    assert len(rest.asked) == len(found.tells) - 3


def _edited(record: SearchRecord, number: int, **changes: Any) -> SearchRecord:
    tells = list(record.tells)
    tells[number - 1] = replace(tells[number - 1], **changes)
    return replace(record, tells=tuple(tells))


def _append(path: Path, text: str) -> None:
    path.write_text(path.read_text("utf-8") + text, "utf-8")


def _change(path: Path) -> None:
    path.write_text(path.read_text("utf-8").replace('"attempt": 1', '"attempt": 2'), "utf-8")


SPOILT: dict[str, Callable[[Path], object]] = {
    "the folder is gone": shutil.rmtree,
    "the record is gone": lambda folder: (folder / "run.json").unlink(),
    "the record was changed": lambda folder: _change(folder / "run.json"),
    "the log was changed": lambda folder: _append(folder / "mlperf_log_detail.txt", "\n"),
    "the log is gone": lambda folder: (folder / "mlperf_log_detail.txt").unlink(),
}


@pytest.mark.parametrize("how", SPOILT)
def test_a_run_whose_folder_does_not_bear_it_out_is_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(rate_search, "supervise", Runs())
    at = bench(tmp_path)
    found = carry_out(new_search(inputs("official"), 12, confirm=True), at)
    SPOILT[how](at.folder(len(found.tells)))
    again = Runs()
    monkeypatch.setattr(rate_search, "supervise", again)
    assert carry_out(found, at) == found == read_record(at.record)
    assert again.folders == [at.folder(len(found.tells))]


@pytest.mark.parametrize(
    "changes",
    [{"asked_qps": 5000.0}, {"sent_qps": 1.0}, {"late": 1}, {"valid": True}, {"kind": "confirm"}],
)
def test_a_tell_that_was_edited_is_run_again_with_all_that_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any]
) -> None:
    monkeypatch.setattr(rate_search, "supervise", Runs())
    at = bench(tmp_path)
    found = carry_out(new_search(inputs("official"), 12, confirm=True), at)
    late = next(number for number, tell in enumerate(found.tells, 1) if tell.late)
    again = Runs()
    monkeypatch.setattr(rate_search, "supervise", again)
    assert carry_out(_edited(found, late, **changes), at) == found
    assert len(again.asked) == len(found.tells) - late + 1


def test_an_answer_that_was_edited_is_made_again_from_the_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_search, "supervise", Runs())
    at = bench(tmp_path)
    found = carry_out(new_search(inputs("official"), 12, confirm=True), at)
    write_record(replace(found, answer=Answer(99_999.0)), at.record)
    kept = read_record(at.record)
    assert kept is not None
    assert carry_out(kept, at) == found == read_record(at.record)


def test_failures_are_told_with_their_cause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_search, "supervise", Runs(cause="it broke"))
    found = carry_out(new_search(inputs("official"), 12, confirm=True), bench(tmp_path))
    assert [tell.cause for tell in found.tells] == ["it broke"] * 2
    assert found.answer == Answer(None, "2 runs in a row failed: it broke")


def test_probes_are_short_have_arrivals_of_their_own_and_say_that_they_measure_nothing() -> None:
    full = new_search(inputs("official"), 12, confirm=True).spec
    first, second = (spec_of(Step("probe", 123.456), full, 2500, number) for number in (1, 2))
    assert (first.loadgen.target_qps, first.loadgen.min_duration_ms) == (123.5, 2500)
    assert first.loadgen.min_query_count == 459
    assert first.notes == (NOTE,)
    seeds = {spec.loadgen.seeds.schedule_rng_seed for spec in (full, first, second)}
    assert len(seeds) == 3
    capped = spec_of(Step("long probe", 100.0), full.at(min_duration_ms=6000), 2500, 1)
    assert capped.loadgen.min_duration_ms == 6000
    assert spec_of(Step("confirm", 100.0), full, 2500, 3) == full.at(target_qps=100.0)


@pytest.mark.parametrize(
    ("rate", "length_s"),
    [
        (5000.0, 60.0),
        (100.0, min_queries(0.99, LATE_IN_LONG_PROBE) / 100),
        (20.0, 600 * LONGEST_SHARE),
    ],
)
def test_a_long_probe_is_longer_where_late_queries_are_few(rate: float, length_s: float) -> None:
    full = new_search(inputs("official"), 12, confirm=True).spec
    long = spec_of(Step("long probe", rate), full, 15_000, 1)
    assert long.loadgen.min_duration_ms == round(1000 * length_s)


def test_what_is_told_is_what_loadgen_logged(tmp_path: Path) -> None:
    step, spec = Step("probe", 800.4), new_search(inputs(), 4, confirm=False).spec
    spec = spec_of(step, spec, 2500, 1)
    tell = told(step, spec, Runs()(spec, tmp_path))
    assert tell.asked_qps == 800.4
    assert tell.sent_qps == pytest.approx(801.2004)
    assert (tell.queries, tell.late, tell.valid, tell.cause) == (20_000, 15_000, False, "")
