"""Verification files are read for their numbers, whichever tool wrote them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.compliance.answers import AnswerComparison
from audit.compliance.speed import SpeedComparison
from audit.compliance.texts import verify_accuracy_text, verify_performance_text
from audit.compliance.verified import (
    VerifiedAnswers,
    VerifiedSpeed,
    read_answers,
    read_speed,
    read_word,
)

counts = st.integers(0, 10**6)


@given(sampled=counts, missing=counts, differing=counts, answers=counts)
def test_our_own_counts_are_read_back(
    sampled: int, missing: int, differing: int, answers: int
) -> None:
    missing = min(missing, sampled)
    compared = AnswerComparison(
        accuracy_answers=answers,
        accuracy_repeats=0,
        accuracy_conflicts=0,
        sampled=sampled,
        differing=differing,
        missing=missing,
        differing_samples=(),
        missing_samples=(),
    )
    text = verify_accuracy_text(compared)
    read = read_answers(text)
    assert read == VerifiedAnswers(answers, sampled, sampled - missing, missing, differing)
    assert read_word(text) == ("PASS" if compared.same else "FAIL")
    assert read.same == (compared.same and sampled > 0)


@given(st.floats(1e-3, 1e12), st.floats(1e-3, 1e12))
def test_our_own_scores_are_read_back(reference: float, test: float) -> None:
    apart = 100 * (test / reference - 1)
    speed = SpeedComparison("samples/s", reference, test, apart, 10, both_ways=True)
    text = verify_performance_text(speed)
    assert read_speed(text) == VerifiedSpeed(reference, test)
    assert read_word(text) == ("PASS" if speed.passed else "FAIL")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("TEST PASS\n", "PASS"),
        ("x\n  TEST FAIL: +12.00 %\n", "FAIL"),
        ("TEST PASS\nTEST FAIL\n", "FAIL"),
        ("the TEST PASS\n", None),
        ("", None),
    ],
)
def test_fail_wins_wherever_it_is_said(text: str, word: str | None) -> None:
    assert read_word(text) == word


def test_a_count_that_is_missing_or_stands_twice_makes_none() -> None:
    text = verify_accuracy_text(
        AnswerComparison(50000, 0, 0, 4100, 0, 0, differing_samples=(), missing_samples=())
    )
    assert read_answers(text) is not None
    assert read_answers(text.replace("num_missing_qsl_idxs = 0\n", "")) is None
    assert read_answers(text + "num_missing_qsl_idxs = 0\n") is None
    assert read_answers(text.replace("= 50000", "= many")) is None


@pytest.mark.parametrize(
    ("text", "speed"),
    [
        ("Reference score = 503471.0\nTest score = 501548.0\n", VerifiedSpeed(503471.0, 501548.0)),
        ("reference score = nan\ntest score = -1\n", VerifiedSpeed(None, None)),
        ("test score = 1\ntest score = 2\n", VerifiedSpeed(None, None)),
        ("test score = 0x10\n", VerifiedSpeed(None, None)),
    ],
)
def test_a_score_is_one_positive_number(text: str, speed: VerifiedSpeed) -> None:
    assert read_speed(text) == speed


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    read_answers(text)
    read_word(text)
    speed = read_speed(text)
    assert all(one is None or 0 < one < math.inf for one in (speed.reference, speed.test))


@pytest.mark.parametrize("number", ["١٢٣", "1_000", "１２", "nan", "inf", "-1", "0", "1e999"])
def test_what_no_program_prints_is_no_score(number: str) -> None:
    assert read_speed(f"reference score = {number}\n") == VerifiedSpeed(None, None)


def test_digits_of_other_scripts_are_no_counts() -> None:
    text = "num_acc_log_entries = 1\nnum_perf_log_entries = ١\n"
    assert read_answers(text) is None
