"""Windows over long paragraphs, against the definition worked out token by token."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from datasets.questions.windows import Window, best_window, windows


def test_short_paragraphs_have_one_window_and_empty_ones_none() -> None:
    assert windows(0, 100) == []
    assert windows(1, 100) == [Window(0, 1)]
    assert windows(100, 100) == [Window(0, 100)]


def test_a_long_paragraph_has_windows_128_apart() -> None:
    assert windows(700, 317) == [
        Window(0, 317),
        Window(128, 317),
        Window(256, 317),
        Window(384, 316),
    ]


def test_the_example_of_the_definition() -> None:
    """In "the man went to the store and bought a gallon of milk", with windows of five, three
    apart, "bought" belongs to the third window: one token left of it and three right."""
    spans = [Window(0, 5), Window(3, 5), Window(6, 5)]
    assert best_window(spans)[7] == 2


@given(st.integers(1, 1500), st.integers(317, 380))
def test_each_token_belongs_to_the_window_with_its_largest_context(tokens: int, room: int) -> None:
    spans = windows(tokens, room)
    assert spans[0].start == 0
    assert spans[-1].end == tokens
    best = best_window(spans)
    for position in range(0, tokens, 7):
        scores = {
            number: min(position - span.start, span.end - 1 - position) + 0.01 * span.length
            for number, span in enumerate(spans)
            if span.start <= position < span.end
        }
        assert best[position] == max(scores, key=lambda number: scores[number])
