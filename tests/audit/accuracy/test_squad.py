"""SQuAD v1.1's own measure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.accuracy.squad import normal_form, score_squad, token_f1
from datasets.questions.squad import Question, SquadSet


def questions(*answers: tuple[str, ...]) -> SquadSet:
    return SquadSet(
        "tests",
        tuple(
            Question(f"q{number}", "What?", "context", accepted)
            for number, accepted in enumerate(answers)
        ),
        "0" * 64,
    )


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("The Denver  Broncos!", "denver broncos"),
        ("a an the", ""),
        ("theatre", "theatre"),
        ("U.S. (a nation)", "us nation"),
        ("Beyoncé", "beyoncé"),
        ("10–20", "10–20"),
    ],
)
def test_normal_form(text: str, normal: str) -> None:
    assert normal_form(text) == normal


def test_the_best_of_the_accepted_answers_counts() -> None:
    score = score_squad({"q0": "in the year 1999"}, questions(("1999", "the year 1999")))
    assert score.exact_match == 0.0
    assert score.f1 == pytest.approx(80.0)


def test_scores_are_averages_over_all_questions() -> None:
    squad = questions(("Paris",), ("London",), ("Rome", "Roma"))
    score = score_squad({"q0": "paris.", "q1": "Bonn"}, squad)
    assert score.exact_match == pytest.approx(100 / 3)
    assert score.f1 == pytest.approx(100 / 3)
    assert score.f1_stdev == pytest.approx(100 * 2**0.5 / 3)
    assert (score.total, score.unanswered) == (3, 1)


def test_an_empty_answer_scores_nothing() -> None:
    assert score_squad({"q0": ""}, questions(("Paris",))).f1 == 0.0


@given(first=st.text(max_size=40), second=st.text(max_size=40))
def test_f1_is_symmetric_and_between_0_and_1(first: str, second: str) -> None:
    assert token_f1(first, second) == token_f1(second, first)
    assert 0 <= token_f1(first, second) <= 1
