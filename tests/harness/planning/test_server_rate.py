"""Looking for a Server rate: how the suite decides what is looked for, and what is kept of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness.planning.base_spec import base_spec
from harness.planning.server_rate import UNCONFIRMED_SHARE, find_rate, guess, new_search, under_way
from harness.running.rundir import Evidence
from harness.running.userconf import Entry
from harness.spec import rounded
from harness.tuning import rate_search
from harness.tuning.queueing import simulate
from harness.tuning.search import FIRST_SHARE, KEPT_SHARE, NEXT_SHARE
from harness.tuning.search_record import read_record, write_record
from tests.harness.plans import FAST, SHA, SLOW, inputs, machine
from tests.harness.probing import LIMIT_QPS, Runs, bench

IN_ROUND = "datacenter,edge"
"""A type of systems for which the round has Server."""


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Runs:
    stand_in = Runs()
    monkeypatch.setattr(rate_search, "supervise", stand_in)
    return stand_in


def test_the_quick_suite_keeps_a_part_of_the_first_rate_that_holds(
    tmp_path: Path, runs: Runs
) -> None:
    found = find_rate(inputs(), bench(tmp_path))
    rates = [spec.loadgen.target_qps for spec in runs.asked]
    assert rates == [rounded(guess(inputs()) * FIRST_SHARE)]
    assert found == rounded((rates[0] or 0) * KEPT_SHARE)


def test_where_nothing_holds_a_part_of_the_lowest_is_kept(tmp_path: Path, runs: Runs) -> None:
    runs.limit_qps = 0.0
    found = find_rate(inputs(), bench(tmp_path))
    rates = [spec.loadgen.target_qps or 0.0 for spec in runs.asked]
    assert len(rates) == inputs().suite.most_server_probes
    assert rates[-1] == pytest.approx(rates[0] * NEXT_SHARE**3, rel=0.01)
    assert found == rounded(min(rates) * KEPT_SHARE)


def test_the_official_suite_finds_the_highest_and_confirms_it(tmp_path: Path, runs: Runs) -> None:
    found = find_rate(inputs("official", system_type=IN_ROUND), bench(tmp_path))
    assert 0.95 * LIMIT_QPS <= found < LIMIT_QPS
    assert runs.asked[-1].loadgen.min_duration_ms == 600_000
    assert runs.asked[-1].loadgen.target_qps == found


def test_where_the_round_has_no_server_the_official_suite_takes_a_rate_that_holds(
    tmp_path: Path, runs: Runs
) -> None:
    found = find_rate(inputs("official", system_type="edge"), bench(tmp_path))
    (probe,) = runs.asked
    rate = probe.loadgen.target_qps or 0
    assert rate == pytest.approx(guess(inputs("official")) * FIRST_SHARE, rel=0.001)
    assert found == rounded(rate * KEPT_SHARE)


def test_a_search_of_another_request_is_not_gone_on_with(tmp_path: Path, runs: Runs) -> None:
    at, asked = bench(tmp_path), inputs("official", system_type=IN_ROUND)
    found = find_rate(asked, at)
    done = len(runs.asked)
    assert find_rate(asked, at) == found
    assert len(runs.asked) == done
    find_rate(replace(asked, request="1" * 64), at)
    assert len(runs.asked) == 2 * done
    kept = read_record(at.record)
    assert kept is not None
    assert kept.request == "1" * 64


def test_a_search_is_under_way_until_there_is_a_plan(tmp_path: Path) -> None:
    evidence, asked = Evidence(tmp_path), inputs()
    assert not under_way(evidence, asked)
    evidence.search("resnet50").parent.mkdir(parents=True)
    write_record(new_search(asked, 4, confirm=False), evidence.search("resnet50"))
    assert asked.request == SHA
    assert under_way(evidence, asked)
    assert not under_way(evidence, replace(asked, request="1" * 64))
    evidence.plan.touch()
    assert not under_way(evidence, asked)


def test_a_suite_without_probes_trusts_the_queue(tmp_path: Path, runs: Runs) -> None:
    found = find_rate(inputs("smoke"), bench(tmp_path))
    assert runs.asked == []
    assert found == rounded(guess(inputs("smoke")) * UNCONFIRMED_SHARE)


def test_the_guess_meets_the_limit_in_the_queue() -> None:
    rate = guess(inputs())
    most = base_spec(inputs(), "Server", "performance", None).batching.max_batch
    latencies = simulate(FAST.batch_s, rate, 2000, streams=2, max_batch=most, seed=1)
    assert sorted(latencies)[1799] <= 0.015
    assert rate > 1 / FAST.batch_s(1)


def test_more_devices_take_more() -> None:
    four = replace(inputs(), machine=machine(devices=4))
    assert guess(four) > 3 * guess(inputs())


def test_a_limit_that_a_lone_query_misses_starts_from_the_rate_of_one_stream() -> None:
    slow = machine(curve=SLOW)
    missed = replace(slow, server_limit=replace(slow.server_limit, limit_ns=1_000_000))
    assert guess(inputs(machine=missed)) == 1.0


def test_a_rate_of_the_users_own_is_taken_as_it_is(tmp_path: Path, runs: Runs) -> None:
    own = Entry(1, "*", "Server", "target_qps", 30.0)
    assert find_rate(inputs(user_conf=(own,)), bench(tmp_path)) == 30.0
    assert runs.asked == []


def test_a_probe_has_as_many_queries_as_its_percentile_needs(tmp_path: Path, runs: Runs) -> None:
    own = (
        Entry(1, "*", "Server", "target_latency_percentile", 95.0),
        Entry(2, "*", "Server", "min_query_count", 1000.0),
    )
    find_rate(inputs(user_conf=own), bench(tmp_path))
    assert [spec.loadgen.min_query_count for spec in runs.asked] == [130]
