"""The embedded questions are well-formed SQuAD v1.1, and QUESTIONS.md describes them truly."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import datasets.embedded

FOLDER = Path(datasets.embedded.__file__).parent
DOCUMENT: dict[str, Any] = json.loads((FOLDER / "questions.json").read_text(encoding="utf-8"))
NOTE = (FOLDER / "QUESTIONS.md").read_text(encoding="utf-8")

LONG_WORDS = {"canal": 399, "library": 459, "lighthouse": 710}
ORDINARY_WORDS = range(140, 175)
LONGEST_ANSWER_WORDS = 12


def _closed(**properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _some(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": 1}


TEXT = {"type": "string", "minLength": 1}
ANSWER = _closed(text=TEXT, answer_start={"type": "integer", "minimum": 0})
QUESTION = _closed(id=TEXT, question=TEXT, answers=_some(ANSWER))
PARAGRAPH = _closed(context=TEXT, qas=_some(QUESTION))
ARTICLE = _closed(title=TEXT, paragraphs=_some(PARAGRAPH))
SQUAD_V1_1 = _closed(version={"const": "1.1"}, data=_some(ARTICLE))


@dataclass(frozen=True)
class Question:
    """One question with its paragraph; an answer is its text and its first code point."""

    key: str
    text: str
    context: str
    answers: tuple[tuple[str, int], ...]


PARAGRAPHS: list[dict[str, Any]] = [
    paragraph for article in DOCUMENT["data"] for paragraph in article["paragraphs"]
]
QUESTIONS = [
    Question(
        key=qa["id"],
        text=qa["question"],
        context=paragraph["context"],
        answers=tuple((answer["text"], answer["answer_start"]) for answer in qa["answers"]),
    )
    for paragraph in PARAGRAPHS
    for qa in paragraph["qas"]
]


def _name(paragraph: dict[str, Any]) -> str:
    key: str = paragraph["qas"][0]["id"]
    return key.rpartition("-")[0]


def _words(paragraph: dict[str, Any]) -> int:
    return len(paragraph["context"].split())


def _strings(node: Any) -> list[str]:
    if isinstance(node, str):
        return [node]
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else []
    return [text for child in children for text in _strings(child)]


def test_the_document_is_squad_v1_1() -> None:
    jsonschema.validate(DOCUMENT, SQUAD_V1_1)


@pytest.mark.parametrize(
    ("what", "count"),
    [
        ("paragraphs", len(PARAGRAPHS)),
        ("questions", len(QUESTIONS)),
        ("accepted answers", sum(len(question.answers) for question in QUESTIONS)),
        ("words of prose", sum(map(_words, PARAGRAPHS))),
    ],
)
def test_the_note_states_the_counts(what: str, count: int) -> None:
    assert f"| {what} | {count} |" in NOTE


def test_there_is_enough_to_measure() -> None:
    assert len(PARAGRAPHS) >= 26
    assert len(QUESTIONS) >= 130
    assert len({article["title"] for article in DOCUMENT["data"]}) == len(PARAGRAPHS)


@pytest.mark.parametrize("paragraph", PARAGRAPHS, ids=_name)
def test_a_paragraph_is_as_long_as_the_note_says(paragraph: dict[str, Any]) -> None:
    name = _name(paragraph)
    assert _words(paragraph) in ([LONG_WORDS[name]] if name in LONG_WORDS else ORDINARY_WORDS)


def test_long_paragraphs_ask_about_their_ends() -> None:
    for paragraph in PARAGRAPHS:
        if _name(paragraph) in LONG_WORDS:
            starts = [answer["answer_start"] for qa in paragraph["qas"] for answer in qa["answers"]]
            length = len(paragraph["context"])
            assert min(starts) < 0.1 * length
            assert max(starts) > 0.9 * length


@pytest.mark.parametrize("paragraph", PARAGRAPHS, ids=_name)
def test_ids_are_the_paragraphs_name_and_a_number_from_one(paragraph: dict[str, Any]) -> None:
    name = _name(paragraph)
    assert re.fullmatch("[a-z]+", name)
    numbers = range(1, len(paragraph["qas"]) + 1)
    assert [qa["id"] for qa in paragraph["qas"]] == [f"{name}-{number}" for number in numbers]


def test_no_id_and_no_question_is_there_twice() -> None:
    assert [key for key, times in Counter(q.key for q in QUESTIONS).items() if times > 1] == []
    folded = Counter(question.text.casefold() for question in QUESTIONS)
    assert [text for text, times in folded.items() if times > 1] == []


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.key)
def test_answers_are_whole_words_where_they_say(question: Question) -> None:
    for text, start in question.answers:
        whole_words = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)")
        assert whole_words.match(question.context, start), text


def test_answers_of_a_question_are_few_short_and_different() -> None:
    for question in QUESTIONS:
        texts = [text for text, _ in question.answers]
        assert len(texts) <= 3, question.key
        assert len({text.casefold() for text in texts}) == len(texts), question.key
        assert max(len(text.split()) for text in texts) <= LONGEST_ANSWER_WORDS, question.key


def test_every_question_is_one_sentence() -> None:
    odd = [q.key for q in QUESTIONS if not re.fullmatch(r"[A-Z][^?!]+\?", q.text)]
    assert odd == []


def test_text_is_clean_and_in_normal_form_c() -> None:
    for text in _strings(DOCUMENT):
        assert unicodedata.is_normalized("NFC", text)
        assert text.isprintable()
        assert text == " ".join(text.split())


@pytest.mark.parametrize("character", "éö£°–−")
def test_characters_outside_ascii_are_there_and_in_the_note(character: str) -> None:
    assert any(character in paragraph["context"] for paragraph in PARAGRAPHS)
    assert character in NOTE


def test_some_answers_hold_characters_outside_ascii() -> None:
    answers = [text for question in QUESTIONS for text, _ in question.answers]
    assert sum(not text.isascii() for text in answers) >= 5
