"""Paragraphs in words and pieces, and how far an answer is cut."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.questions.documents import Document, read_documents
from datasets.questions.wordpiece import Vocabulary
from tests.datasets.conftest import TINY_VOCABULARY


def document(vocab: Path, text: str) -> Document:
    (found,) = read_documents([text], Vocabulary(vocab))
    return found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("the  cafe\tit\r\na\n", ["the", "cafe", "it", "a"]),
        ("a\u202fb", ["a", "b"]),
        ("a\u00a0b \u2009it", ["a\u00a0b", "\u2009it"]),
        (" \n", []),
        ("", []),
    ],
)
def test_words_are_those_of_the_reference(tiny_vocab: Path, text: str, words: list[str]) -> None:
    found = document(tiny_vocab, text)
    spans = zip(found.word_starts, found.word_ends, strict=True)
    assert [text[start:end] for start, end in spans] == words


def test_pieces_are_placed_in_the_whole_text(tiny_vocab: Path) -> None:
    text = "The  caf\u00e9s\u202f(北京)."
    found = document(tiny_vocab, text)
    spans = zip(found.starts, found.ends, strict=True)
    assert [text[start:end] for start, end in spans] == [
        *("The", "caf\u00e9", "s", "(", "北", "京", ")", ".")
    ]


@pytest.mark.parametrize(
    ("text", "pieces", "answer"),
    [
        ("Who-it.", (0, 0), "Who"),
        ("Who-it.", (1, 2), "-it"),
        ("the Caf\u00e9.", (1, 1), "Caf\u00e9"),
        ("the  a-  it.", (0, 1), "the  a"),
        ("it- who wrote it.", (2, 4), "who wrote"),
        ("it- who wrote it.", (2, 5), "who wrote it."),
        ("it (annie).", (2, 3), "(annie)."),
        ("it cafe\u0301.", (1, 1), "cafe\u0301."),
        ("it 👩\u200d👧.", (1, 1), "👩\u200d👧."),
        ("a\u00a0b it", (0, 0), "a\u00a0b"),
    ],
)
def test_an_answer_is_as_long_as_the_reference_cuts_it(
    tiny_vocab: Path, text: str, pieces: tuple[int, int], answer: str
) -> None:
    """Between pieces where they match the words letter for letter, else whole words."""
    found = document(tiny_vocab, text)
    first, last = pieces
    assert found.cut(int(found.starts[first]), int(found.ends[last])) == answer


def test_paragraphs_are_read_in_order(tiny_vocab: Path) -> None:
    texts = ["it", "", "the cafe"]
    found = read_documents(texts, Vocabulary(tiny_vocab))
    assert [document.text for document in found] == texts
    assert [len(document.ids) for document in found] == [1, 0, 2]


def aligned_text(pieces: list[str], predicted: list[str], words: str) -> str:
    """The definition in strings: the stretch of ``words`` whose letters stand where the predicted
    pieces stand among all ``pieces``, or ``words`` where the letters can't be counted off."""
    tokens = " ".join(pieces)
    begin = tokens.find(" ".join(predicted).replace(" ##", "").replace("##", ""))
    if begin < 0 or len(tokens.replace(" ", "")) != len(words.replace(" ", "")):
        return words
    letters_before = len(tokens[:begin].replace(" ", ""))
    letters = sum(map(len, predicted))
    places = [place for place, character in enumerate(words) if character != " "]
    return words[places[letters_before] : places[letters_before + letters - 1] + 1]


@given(
    st.lists(
        st.sampled_from(["the", "café", "annie", "it.", "a-b", "(a", "b.-", "who", "cafés"]),
        min_size=1,
        max_size=5,
    ),
    st.tuples(st.floats(0, 0.999), st.floats(0, 0.999)),
)
def test_every_cut_is_that_of_the_definition(
    tiny_vocab: Path, words: list[str], ends: tuple[float, float]
) -> None:
    found = document(tiny_vocab, " ".join(words))
    first, last = sorted(int(part * len(found.ids)) for part in ends)
    start, end = int(found.starts[first]), int(found.ends[last])
    covered = [
        place
        for place, (a, b) in enumerate(zip(found.word_starts, found.word_ends, strict=True))
        if a < end and b > start
    ]
    around = " ".join(words[place] for place in covered)
    pieces = [TINY_VOCABULARY[piece] for piece in document(tiny_vocab, around).ids]
    predicted = [TINY_VOCABULARY[piece] for piece in found.ids[first : last + 1]]
    cut = found.cut(start, end).replace("é", "e")
    assert cut == aligned_text(pieces, predicted, around).replace("é", "e")
