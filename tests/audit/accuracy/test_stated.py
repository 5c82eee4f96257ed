"""Scores and hashes as accuracy.txt states them, read strictly and never guessed at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.accuracy.accuracy_txt import accuracy_text
from audit.accuracy.squad import SquadScore
from audit.accuracy.stated import (
    Stated,
    hash_lines,
    is_sha256,
    read_score,
    score_lines,
    stated_score,
)
from audit.accuracy.top1 import Top1

METRICS = ("top1_percent", "f1")
HASH = "5bb51f8c4b8f4f13dbe653c6c3a7b8f0ab5022d487e4dff185da9d139837203e"
CHATTER = "Reading examples...\nLoading LoadGen logs...\nEvaluating predictions...\n"


@given(correct=st.integers(0, 50000))
def test_our_own_top1_is_read_back_to_its_three_decimals(correct: int) -> None:
    score = Top1(correct=correct, total=50000, dtype="int32", repeats=0, shift=None)
    stated = stated_score(accuracy_text(score, HASH), "top1_percent")
    assert stated is not None
    assert stated.value == pytest.approx(score.percent, abs=0.0005)
    assert (stated.good, stated.total) == (correct, 50000)
    assert stated.counted == pytest.approx(score.percent)
    assert stated.agrees


@given(f1=st.floats(0, 100), exact=st.floats(0, 100))
def test_our_own_f1_is_read_back_exactly(f1: float, exact: float) -> None:
    score = SquadScore(exact, f1, total=10570, unanswered=0, f1_stdev=0.0)
    text = accuracy_text(score, HASH).replace("\n\n", f"\n{CHATTER}\n")
    stated = stated_score(text, "f1")
    assert stated is not None
    assert (stated.value, stated.good, stated.total) == (f1, None, None)
    assert [line.text for line in hash_lines(text)] == [HASH]


@pytest.mark.parametrize(
    "line",
    [
        "accuracy=0.76456, good=38228, total=50000",
        "accuracy=76,456%, good=38228, total=50000",
        "accuracy=nan%, good=38228, total=50000",
        "accuracy=inf%",
        "accuracy=-5%",
        "accuracy=1e2%",
        "accuracy=76.456%, good=38228",
        "accuracy=76.456%, good=3.8, total=50000",
        "accuracy=76.456%, good=38228, total=50000, of which more",
        "accuracy: 76.456%",
        "Accuracy=76.456%",
    ],
)
def test_a_line_that_only_looks_like_a_score_is_seen_and_not_read(line: str) -> None:
    assert len(score_lines(f"{line}\n\nhash={HASH}\n", "top1_percent")) == 1
    assert read_score(line, "top1_percent") is None


@pytest.mark.parametrize(
    "line",
    [
        '{"f1": 90.15}',
        '{"exact_match": 82.8}',
        '{"exact_match": 82.8, "f1": NaN}',
        '{"exact_match": 82.8, "f1": "90.15"}',
        '{"exact_match": 82.8, "f1": true}',
        '{"exact_match": 82.8, "f1": -1}',
        '{"exact_match": 82.8, "f1": 90.1, "f1": 10.0}',
        '{"exact_match": 82.8, "f1": 90.1',
        "{'exact_match': 82.8, 'f1': 90.1}",
    ],
)
def test_an_f1_that_is_not_whole_is_seen_and_not_read(line: str) -> None:
    assert len(score_lines(line, "f1")) == 1
    assert read_score(line, "f1") is None


def test_two_scores_are_none() -> None:
    good = "accuracy=76.062%, good=38031, total=50000"
    assert stated_score(f"{good}\naccuracy=10.0%, good=1, total=50000\n", "top1_percent") is None


def test_no_samples_make_no_percentage() -> None:
    nothing = Stated(0.0, 3, 0, 0)
    assert nothing.counted is None
    assert not nothing.agrees


@given(good=st.integers(0, 1000), decimals=st.integers(0, 6))
def test_counts_agree_to_as_many_decimals_as_were_written(good: int, decimals: int) -> None:
    percent = f"{100 * good / 1000:.{decimals}f}"
    stated = read_score(f"accuracy={percent}%, good={good}, total=1000", "top1_percent")
    assert stated is not None
    assert stated.agrees
    other = read_score(f"accuracy={percent}%, good={good + 30}, total=1000", "top1_percent")
    assert other is not None
    assert not other.agrees


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"hash={HASH}", [HASH]),
        (f"x\n hash = {HASH} \nhash={HASH}", [HASH, HASH]),
        ("hash=", [""]),
        ("hashes=1", []),
    ],
)
def test_every_line_with_a_hash_is_seen(text: str, found: list[str]) -> None:
    assert [line.text for line in hash_lines(text)] == found


@pytest.mark.parametrize("text", [HASH[1:], HASH + "0", "g" + HASH[1:], ""])
def test_only_64_hexadecimal_digits_are_a_hash(text: str) -> None:
    assert is_sha256(HASH)
    assert is_sha256(HASH.upper())
    assert not is_sha256(text)


@given(text=st.text())
def test_any_text_states_at_most_one_score(text: str) -> None:
    for metric in METRICS:
        score = stated_score(text, metric)
        assert score is None or score.value >= 0
    hash_lines(text)


@given(good=st.integers(0, 50000), hundredths=st.integers(0, 10000), decimals=st.integers(0, 6))
def test_no_score_is_borne_out_beyond_its_counts(good: int, hundredths: int, decimals: int) -> None:
    line = f"accuracy={hundredths / 100:.{decimals}f}%, good={good}, total=50000"
    stated = read_score(line, "top1_percent")
    assert stated is not None
    assert stated.counted is not None
    assert stated.borne_out <= stated.value
    assert stated.borne_out <= stated.counted + 0.5 * 10.0**-decimals + 1e-9
    assert stated.exceeds_counts == (stated.borne_out < stated.value)
    assert not (stated.agrees and stated.exceeds_counts)


def test_digits_of_other_scripts_make_no_score() -> None:
    assert read_score("accuracy=٧٦.٥%", "top1_percent") is None
    assert read_score("accuracy=76.5%, good=٣٨, total=50", "top1_percent") is None
