"""Sampled answers against the accuracy run's: every byte counts, and every difference is named."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.compliance.answers import compare_answers, first_answers, worst_answers
from tests.audit.compliance.records import floats, one_unit_more, records

EIGHT = range(8)
LOGS = st.dictionaries(st.integers(0, 99), st.binary(min_size=1, max_size=12), min_size=1)


@pytest.mark.parametrize(
    ("accuracy", "sampled", "differing"),
    [
        (
            [(k, floats(3 * k)) for k in EIGHT],
            [(k, floats(3 * k + 1)) for k in EIGHT],
            tuple(EIGHT),
        ),
        ([(0, floats(5, 1)), (1, floats(5, 1))], [(0, floats(5, 1)), (1, floats(5, 2))], (1,)),
        ([(0, floats(5)), (1, floats(6))], [(0, floats(5, 0)), (1, floats(6)[:3])], (0, 1)),
        ([(0, floats(65.0))], [(0, floats(one_unit_more(65.0)))], (0,)),
        ([(0, floats(0.0))], [(0, floats(-0.0))], (0,)),
    ],
    ids=["other labels", "only the second float", "other length", "one unit", "negative zero"],
)
def test_any_other_byte_is_a_difference(
    accuracy: Sequence[tuple[int, bytes]],
    sampled: Sequence[tuple[int, bytes]],
    differing: tuple[int, ...],
) -> None:
    compared = compare_answers(records(sampled), records(accuracy))
    assert compared.differing_samples == differing
    assert compared.differing == len(differing)
    assert not compared.same


def test_a_sample_that_the_accuracy_run_lacks_is_missing_not_different() -> None:
    accuracy = records((k, floats(k)) for k in EIGHT)
    compared = compare_answers(records([(9, floats(9)), (1, floats(1)), (9, floats(9))]), accuracy)
    assert (compared.missing, compared.missing_samples) == (2, (9,))
    assert (compared.differing, compared.same) == (0, False)


def test_answers_beyond_the_first_to_a_sample_are_counted() -> None:
    accuracy = records([(0, b"a"), (1, b"b"), (0, b"a"), (1, b"c")])
    compared = compare_answers(records([(0, b"a"), (0, b"a"), (1, b"b")]), accuracy)
    assert compared.same
    assert (compared.accuracy_answers, compared.accuracy_repeats) == (4, 2)
    assert (compared.accuracy_conflicts, compared.sampled) == (1, 3)


@given(LOGS, st.data())
def test_any_part_of_the_accuracy_log_agrees_with_it(
    answers: dict[int, bytes], data: st.DataObject
) -> None:
    chosen = data.draw(st.lists(st.sampled_from(sorted(answers))))
    sampled = records((index, answers[index]) for index in chosen)
    compared = compare_answers(sampled, records(answers.items()))
    assert compared.same
    assert compared.sampled == len(chosen)


@given(LOGS, st.data())
def test_one_changed_byte_anywhere_is_found_and_named(
    answers: dict[int, bytes], data: st.DataObject
) -> None:
    index = data.draw(st.sampled_from(sorted(answers)))
    place = data.draw(st.integers(0, len(answers[index]) - 1))
    changed = bytearray(answers[index])
    changed[place] ^= data.draw(st.integers(1, 255))
    sampled = records({**answers, index: bytes(changed)}.items())
    compared = compare_answers(sampled, records(answers.items()))
    assert compared.differing_samples == (index,)
    assert compared.differing == 1


def test_a_difference_does_not_hide_behind_a_repeat_that_agrees() -> None:
    first = first_answers(records([(0, b"a"), (1, b"b")]))
    worst = worst_answers(records([(0, b"a"), (0, b"x"), (0, b"a"), (1, b"b")]), first)
    assert {index: record.data for index, record in worst.items()} == {0: b"x", 1: b"b"}
