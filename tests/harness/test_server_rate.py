"""Looking for a Server rate: what is asked of each probe, and what is kept of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from harness import server_rate
from harness.base_spec import rounded
from harness.rundir import Evidence
from harness.server_rate import FIRST_SHARE, KEPT_SHARE, STEP, UNCONFIRMED_SHARE, find_rate, guess
from harness.spec import RunSpec
from harness.stop import StopRequests
from harness.supervisor import Patience, RunResult
from harness.tuning.queueing import simulate
from harness.userconf import Entry
from tests.audit.logs import performance, write_detail
from tests.harness.plans import FAST, SLOW, inputs, machine


@dataclass
class Probes:
    """Stands for the supervisor: the first ``fail`` probes are INVALID, or leave no log."""

    fail: int
    outcome: str = "finished"
    asked: list[RunSpec] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)

    def __call__(self, spec: RunSpec, folder: Path, *_: Any) -> RunResult:
        self.asked.append(spec)
        self.folders.append(folder)
        failing = len(self.asked) <= self.fail
        outcome = self.outcome if failing else "finished"
        if outcome == "finished":
            log = performance("Server", result_validity="INVALID" if failing else "VALID")
            write_detail(folder / "mlperf_log_detail.txt", log)
        return RunResult(folder, {"outcome": outcome})


def _find(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    probes: Probes,
    suite: str = "quick",
    *own: Entry,
) -> float:
    monkeypatch.setattr(server_rate, "supervise", probes)
    asked = inputs(suite, user_conf=own)
    return find_rate(asked, Evidence(tmp_path), StopRequests(), Patience(), lambda _: None)


@pytest.mark.parametrize(("failing", "asked"), [(0, 1), (2, 3), (99, 4)])
def test_rates_fall_until_one_holds_and_a_part_of_it_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: int, asked: int
) -> None:
    probes = Probes(failing)
    found = _find(tmp_path, monkeypatch, probes)
    first = guess(inputs()) * FIRST_SHARE
    rates = [spec.loadgen.target_qps for spec in probes.asked]
    assert rates == [rounded(first * STEP**number) for number in range(asked)]
    lowered = asked - 1 if failing < asked else asked
    assert found == rounded(first * STEP**lowered * KEPT_SHARE)
    assert [folder.name for folder in probes.folders] == [
        f"probe_{number}" for number in range(1, asked + 1)
    ]


def test_a_probe_that_fails_is_one_that_did_not_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    probes = Probes(1, outcome="failed")
    _find(tmp_path, monkeypatch, probes)
    assert len(probes.asked) == 2


def test_a_probe_is_short_and_says_that_it_is_no_measurement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    probes = Probes(0)
    _find(tmp_path, monkeypatch, probes, "official")
    (spec,) = probes.asked
    assert (spec.scenario, spec.mode) == ("Server", "performance")
    assert (spec.loadgen.min_duration_ms, spec.loadgen.min_query_count) == (5000, 662)
    assert spec.notes == ("a short run that looks for a rate; not a measurement",)


def test_a_suite_without_probes_trusts_the_queue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    probes = Probes(0)
    found = _find(tmp_path, monkeypatch, probes, "smoke")
    assert probes.asked == []
    assert found == rounded(guess(inputs("smoke")) * UNCONFIRMED_SHARE)


def test_the_guess_meets_the_limit_in_the_queue() -> None:
    rate = guess(inputs())
    latencies = simulate(FAST.batch_s, rate, 2000, streams=2, max_batch=64, seed=1)
    assert sorted(latencies)[1799] <= 0.015
    assert rate > 1 / FAST.batch_s(1)


def test_more_devices_take_more() -> None:
    four = replace(inputs(), machine=machine(devices=4))
    assert guess(four) > 3 * guess(inputs())


def test_a_limit_that_a_lone_query_misses_starts_from_the_rate_of_one_stream() -> None:
    slow = machine(curve=SLOW)
    missed = replace(slow, server_limit=replace(slow.server_limit, limit_ns=1_000_000))
    assert guess(inputs(machine=missed)) == 1.0


def test_a_rate_of_the_users_own_is_taken_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    probes, own = Probes(0), Entry(1, "*", "Server", "target_qps", 30.0)
    assert _find(tmp_path, monkeypatch, probes, "quick", own) == 30.0
    assert probes.asked == []


def test_a_probe_has_as_many_queries_as_its_percentile_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    probes, own = Probes(0), Entry(1, "*", "Server", "target_latency_percentile", 95.0)
    _find(tmp_path, monkeypatch, probes, "quick", own)
    assert [spec.loadgen.min_query_count for spec in probes.asked] == [130]
