"""Verdicts on simulated systems whose true behaviour is known: right in at least 95 of 100."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from audit.consistency.drift import Completions
from audit.consistency.policy import load_policy
from audit.consistency.summary import Repeat
from audit.consistency.verdict import Consistency, judge_repeats
from audit.findings import finding

QUALIFICATION = load_policy("qualification")
QUICK = load_policy("quick")
REPETITIONS = 100
RUNS = 5
WHERE = "resnet50/Offline"

System = Callable[[np.random.Generator], NDArray[np.float64]]


def _noise(random: np.random.Generator, cv_percent: float) -> NDArray[np.float64]:
    return 1 + random.standard_normal(RUNS) * cv_percent / 100


def _repeats(values: Sequence[float]) -> list[Repeat]:
    return [Repeat(f"run_{number}", float(value)) for number, value in enumerate(values, 1)]


def _judge(values: Sequence[float]) -> Consistency:
    return judge_repeats(WHERE, _repeats(values), (), QUALIFICATION)


def _right(system: System, is_right: Callable[[Consistency], bool]) -> int:
    judged = [_judge(system(np.random.default_rng(seed)).tolist()) for seed in range(REPETITIONS)]
    return sum(is_right(one) for one in judged)


def _rules(consistency: Consistency) -> set[str]:
    return {found.rule for found in consistency.findings}


@pytest.mark.parametrize(
    ("cv_percent", "verdict"), [(0.5, "stable"), (1.0, "stable"), (8.0, "unstable")]
)
def test_the_spread_decides(cv_percent: float, verdict: str) -> None:
    right = _right(
        lambda random: 250 * _noise(random, cv_percent), lambda one: one.verdict == verdict
    )
    assert right >= 95


@pytest.mark.parametrize("cv_percent", [0.5, 1.0])
@pytest.mark.parametrize("direction", [1, -1])
def test_a_drift_is_called_a_drift(cv_percent: float, direction: int) -> None:
    trend = 1 + direction * np.linspace(0, 0.1, RUNS)

    def is_right(one: Consistency) -> bool:
        return one.verdict == "unstable" and "consistency.drift" in _rules(one)

    assert _right(lambda random: 250 * trend * _noise(random, cv_percent), is_right) >= 95


@pytest.mark.parametrize("cv_percent", [0.5, 1.0])
@pytest.mark.parametrize("slow", range(RUNS))
def test_the_one_slow_run_is_named_and_is_no_drift(cv_percent: float, slow: int) -> None:
    def system(random: np.random.Generator) -> NDArray[np.float64]:
        values = 250 * _noise(random, cv_percent)
        values[slow] *= 0.85
        return values

    def is_right(one: Consistency) -> bool:
        named = {found.where for found in one.findings if found.rule == "consistency.outlier"}
        return (
            one.verdict == "unstable"
            and named == {f"run_{slow + 1}"}
            and "consistency.drift" not in _rules(one)
        )

    assert _right(system, is_right) >= 95


def test_fewer_than_five_runs_are_never_stable() -> None:
    few = judge_repeats(WHERE, _repeats([250.0] * 4), (), QUALIFICATION)
    assert few.verdict == "not enough runs"
    (said,) = few.findings
    assert said.severity == "note"
    assert "4 of the 5 good runs" in said.sentence
    assert "--repeat 5" in said.fix
    assert judge_repeats(WHERE, (), (), QUICK).verdict == "not enough runs"


def test_equal_runs_are_stable_and_nothing_is_said() -> None:
    judged = _judge([250.0] * 5)
    assert (judged.verdict, judged.findings) == ("stable", ())


def test_other_runs_are_not_comparable_however_close() -> None:
    other = finding("consistency.unlike", "run_2", found="software", expected="run_1")
    judged = judge_repeats(WHERE, _repeats([250.0] * 5), (other,), QUICK)
    assert judged.verdict == "not comparable"
    assert [found.severity for found in judged.findings] == ["error"]


def test_between_the_clear_cases_it_is_said_what_more_runs_would_decide() -> None:
    judged = _judge([100.0, 102.0, 98.0, 99.5, 101.5])
    assert judged.verdict == "stable"
    (said,) = judged.findings
    assert (said.rule, said.severity) == ("consistency.undecided", "note")
    assert judged.statistics is not None
    assert judged.statistics.runs_to_decide is not None
    assert judged.statistics.runs_to_decide > 5
    assert f"about {judged.statistics.runs_to_decide} runs in all" in said.sentence
    assert "1.0 and 4.6 %" in said.sentence


def test_a_spread_at_its_limit_is_not_decided_by_any_number_of_runs() -> None:
    values = 100 + np.array([-1, 1, 0, -1, 1]) * 3.03
    judged = _judge(values.tolist())
    (spread, said) = judged.findings
    assert spread.rule == "consistency.spread"
    assert "runs in all" in said.sentence or "not even 200 runs" in said.sentence


@pytest.mark.parametrize(("policy", "severity"), [(QUALIFICATION, "error"), (QUICK, "warning")])
def test_the_policy_says_whether_unstable_leaves_no_result(policy: object, severity: str) -> None:
    chosen = QUALIFICATION if policy is QUALIFICATION else QUICK
    judged = judge_repeats(WHERE, _repeats([100, 150, 90, 60, 130]), (), chosen)
    assert judged.verdict == "unstable"
    assert {found.severity for found in judged.findings} == {severity}


def test_an_ordinary_busy_machine_is_stable_under_the_quick_policy() -> None:
    judged = judge_repeats(WHERE, _repeats([100, 92, 105, 98, 110]), (), QUICK)
    assert judged.verdict == "stable"


def _draining(last_share: float) -> Completions:
    random = np.random.default_rng(5)
    rates = np.linspace(100, 100 * last_share, 240)
    return Completions(
        10, tuple((rates + random.integers(-5, 6, 240)).round().astype(int).tolist())
    )


def test_a_run_that_slows_down_is_named_though_all_runs_are_equal() -> None:
    steady, slowing = _draining(1.0), _draining(0.7)
    repeats = [Repeat(f"run_{at}", 250.0, None, steady) for at in range(1, 5)]
    repeats.append(Repeat("run_5", 250.0, None, slowing))
    judged = judge_repeats(WHERE, repeats, (), QUALIFICATION)
    (said,) = judged.findings
    assert judged.verdict == "unstable"
    assert (said.rule, said.where) == ("consistency.drift_inside", "run_5")
    assert judge_repeats(WHERE, repeats[:4] + repeats[:1], (), QUALIFICATION).verdict == "stable"
