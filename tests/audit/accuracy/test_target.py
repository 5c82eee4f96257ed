"""Targets, margins and accuracy.txt."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.accuracy.accuracy_txt import accuracy_text
from audit.accuracy.squad import SquadScore
from audit.accuracy.target import Target, judge_f1, judge_top1
from audit.accuracy.top1 import Top1

RESNET = Target("top1_percent", 75.6954, "v6.1")
BERT = Target("f1", 89.96526, "v6.1")


def test_a_published_resnet50_score_has_samples_to_spare() -> None:
    verdict = judge_top1(38_039, 50_000, RESNET)
    assert verdict.passed
    assert verdict.margin == "191 sample(s) to spare"


def test_one_sample_below_the_target_fails() -> None:
    needed = 37_848
    assert judge_top1(needed, 50_000, RESNET).margin_samples == 0
    assert judge_top1(needed, 50_000, RESNET).passed
    below = judge_top1(needed - 1, 50_000, RESNET)
    assert not below.passed
    assert below.margin == "1 sample(s) too few"


@given(total=st.integers(1, 10_000), percent=st.floats(0, 100), data=st.data())
def test_margin_and_verdict_agree(total: int, percent: float, data: st.DataObject) -> None:
    correct = data.draw(st.integers(0, total))
    verdict = judge_top1(correct, total, Target("top1_percent", percent, "t"))
    assert verdict.passed == (verdict.margin_samples >= 0)


def test_all_right_reaches_100_percent() -> None:
    assert judge_top1(3, 3, Target("top1_percent", 100.0, "t")).passed


def test_f1_is_compared_as_it_is() -> None:
    assert judge_f1(89.96526, 10_570, BERT).passed
    below = judge_f1(89.9652, 10_570, BERT)
    assert not below.passed
    assert below.margin_samples < 0
    assert judge_f1(90.96526, 10_570, BERT).margin_samples == pytest.approx(105.7)


def test_accuracy_text_of_resnet50() -> None:
    score = Top1(correct=38_039, total=50_000, dtype="int32", repeats=0, shift=None)
    assert accuracy_text(score, "ab" * 32) == (
        f"accuracy=76.078%, good=38039, total=50000\n\nhash={'ab' * 32}\n"
    )


def test_accuracy_text_of_bert_is_json_with_a_hash_behind() -> None:
    score = SquadScore(exact_match=83.67, f1=90.87, total=10_570, unanswered=0, f1_stdev=25.0)
    first, blank, last = accuracy_text(score, "cd" * 32).splitlines()
    assert json.loads(first) == {"exact_match": 83.67, "f1": 90.87}
    assert blank == ""
    assert last == f"hash={'cd' * 32}"
