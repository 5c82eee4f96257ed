"""Soaks of simulated systems whose true behaviour is known, with time as the axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from audit.consistency.drift import Completions
from audit.consistency.policy import load_policy
from audit.consistency.soak import Soak, SoakRun, judge_soak

QUALIFICATION = load_policy("qualification")
WHERE = "resnet50/Offline"
RUN_S = 600.0
RUNS = 24
"""Of ten minutes: four hours."""
CV = 0.01
REPETITIONS = 100


def runs(
    values: Sequence[float], pause_before: int | None = None, pause_s: float = 0.0
) -> list[SoakRun]:
    """Runs of ten minutes, five seconds apart, with one longer pause."""
    found, now_s = [], 1_700_000_000.0
    for number, value in enumerate(values):
        now_s += 5.0 + (pause_s if number == pause_before else 0.0)
        found.append(SoakRun(value, now_s, now_s + RUN_S, RUN_S - 2))
        now_s += RUN_S
    return found


def noise(random: np.random.Generator, count: int = RUNS) -> list[float]:
    return list(1 + CV * random.standard_normal(count))


def judged(values: Sequence[float], pause_before: int | None = None, pause_s: float = 0.0) -> Soak:
    asked_s = RUN_S * len(values)
    return judge_soak(WHERE, runs(values, pause_before, pause_s), asked_s, QUALIFICATION)


def right(shape: Callable[[int], float], verdict: str) -> int:
    found = 0
    for seed in range(REPETITIONS):
        random = np.random.default_rng(seed)
        values = [500 * shape(at) * one for at, one in enumerate(noise(random))]
        found += judged(values).verdict == verdict
    return found


def test_a_system_that_keeps_its_rate_is_stable() -> None:
    assert right(lambda _: 1.0, "stable") >= 95


@pytest.mark.parametrize("percent", [-10, 10])
def test_a_drift_of_10_percent_over_the_time_is_found(percent: float) -> None:
    assert right(lambda at: 1 + percent / 100 * at / (RUNS - 1), "drift") >= 95


def test_a_drift_within_the_limit_is_told_but_not_called_one() -> None:
    soak = judged([500 * (1 + 0.02 * at / (RUNS - 1)) for at in range(RUNS)])
    assert soak.verdict == "stable"
    assert soak.across is not None
    assert soak.across.percent == pytest.approx(2 * 500 / 505, rel=1e-6)


def test_time_is_the_axis_and_not_the_number_of_the_run() -> None:
    """A rate that falls by 1 % an hour falls as much over a pause."""
    spread = runs([0.0] * 6, pause_before=3, pause_s=100)
    began_s = spread[0].middle_s
    values = [500 * (1 - 0.1 * (run.middle_s - began_s) / 3600) for run in spread]
    soak = judged(values, pause_before=3, pause_s=100)
    assert soak.across is not None
    hours = (spread[-1].middle_s - began_s) / 3600
    assert soak.across.percent == pytest.approx(-hours * 5000 / np.mean(values), rel=1e-6)
    assert soak.longest_pause_s == pytest.approx(105)
    assert soak.verdict == "drift"


def test_runs_before_and_after_a_long_pause_are_two_soaks_of_which_the_longer_is_judged() -> None:
    """A rested machine hides that it slows down: 10 % in each part, none from end to end."""
    falling = [500 * (1 - 0.1 * at / 9) for at in range(10)]
    soak = judged([*falling, *falling[:6]], pause_before=10, pause_s=3600)
    assert (soak.verdict, soak.runs) == ("drift", 10)
    assert soak.across is not None
    assert soak.across.percent == pytest.approx(-10 * 500 / 475, rel=1e-6)
    _, broken, short = soak.findings
    assert (broken.rule, broken.severity) == ("soak.broken", "warning")
    assert "the 10 of 16 runs of its longest unbroken part" in broken.sentence
    assert short.rule == "soak.short"


def test_a_change_that_noise_hides_is_undecided_and_not_stable() -> None:
    """The fitted change is beyond the limit and its interval wide, or the interval alone is."""
    for values in ([400, 700, 350, 800, 600], [500, 560, 440, 560, 500]):
        soak = judged(values)
        assert soak.verdict == "undecided"
        (found,) = soak.findings
        assert (found.rule, found.severity) == ("soak.undecided", "warning")
        assert "is undecided" in found.sentence


def test_a_change_inside_the_runs_that_noise_hides_is_undecided() -> None:
    made = []
    for at, run in enumerate(runs([500.0] * 6)):
        step = 300 if at % 2 else -300
        counts = (1000,) * 30 + (1000 + step,) * 31
        made.append(replace(run, completions=Completions(1000, counts)))
    soak = judge_soak(WHERE, made, 6 * RUN_S, QUALIFICATION)
    assert soak.verdict == "undecided"
    assert [found.rule for found in soak.findings] == ["soak.undecided"]
    assert "inside each run" in soak.findings[0].sentence


def test_the_order_of_the_folders_does_not_matter() -> None:
    values = [500 * (1 - 0.1 * at / 9) for at in range(10)]
    made = runs(values)
    again = judge_soak(WHERE, made[::-1], 10 * RUN_S, QUALIFICATION)
    assert again == judge_soak(WHERE, made, 10 * RUN_S, QUALIFICATION)


def test_every_run_that_slows_down_alike_is_a_drift_inside() -> None:
    falling = Completions(1000, tuple(1000 - 2 * at for at in range(60)))
    even = Completions(1000, (1000,) * 60)
    for completions, verdict in ((falling, "drift"), (even, "stable")):
        made = [replace(run, completions=completions) for run in runs([500.0] * RUNS)]
        soak = judge_soak(WHERE, made, RUNS * RUN_S, QUALIFICATION)
        assert soak.verdict == verdict
        assert soak.inside is not None
        assert (soak.inside.percent == 0) == (verdict == "stable")


def test_a_server_that_keeps_its_rate_and_slows_down_shows_it_in_its_tail() -> None:
    for grows, verdict in ((0.0, "stable"), (0.3, "drift")):
        made = [
            replace(run, tail_ns=1e7 * (1 + grows * at / (RUNS - 1)) * one)
            for at, (run, one) in enumerate(
                zip(runs([80.0] * RUNS), noise(np.random.default_rng(1)), strict=True)
            )
        ]
        soak = judge_soak("resnet50/Server", made, RUNS * RUN_S, QUALIFICATION)
        assert soak.verdict == verdict
    (found,) = soak.findings
    assert found.rule == "soak.drift_tail"
    assert "the tail latency of resnet50/Server drifts by +2" in found.sentence


@pytest.mark.parametrize("count", [0, 1, 2, 4])
def test_a_few_runs_have_no_verdict(count: int) -> None:
    soak = judged([500.0 * (at + 1) for at in range(count)])
    assert soak.verdict == "not enough runs"
    (few, *_) = soak.findings
    assert few.rule == "soak.few_runs"
    assert few.severity == "note"


def test_a_soak_that_was_shorter_than_asked_is_said() -> None:
    soak = judge_soak(WHERE, runs([500.0] * 10), 14_400.0, QUALIFICATION)
    (short,) = soak.findings
    assert (short.rule, short.severity) == ("soak.short", "warning")
    assert "soaked for 4 h, but its runs took 99.7 min" in short.sentence


@pytest.mark.parametrize(("name", "severity"), [("qualification", "error"), ("quick", "warning")])
def test_the_policy_says_how_grave_a_drift_is(name: str, severity: str) -> None:
    made = runs([500 * (1 - 0.5 * at / 9) for at in range(10)])
    soak = judge_soak(WHERE, made, 10 * RUN_S, load_policy(name))
    assert [found.severity for found in soak.findings] == [severity]
    assert soak.findings[0].rule == "soak.drift"
