"""SQuAD files: what is read, and the place that is named where one is wrong."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from datasets.errors import DataError
from datasets.questions.squad import SquadSet, read_squad

CONTEXT = "Annie wrote it in the café."


def document() -> dict[str, Any]:
    answers = [{"text": "Annie", "answer_start": 0}, {"text": "café", "answer_start": 22}]
    qas = [
        {"id": "q1", "question": "Who wrote it?", "answers": answers[:1]},
        {"id": "q2", "question": "Where?", "answers": answers[1:] * 3},
    ]
    return {
        "version": "1.1",
        "data": [{"title": "Notes", "paragraphs": [{"context": CONTEXT, "qas": qas}]}],
    }


def write(tmp_path: Path, content: Any) -> Path:
    path = tmp_path / "dev.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def questions(content: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = content["data"][0]["paragraphs"][0]["qas"]
    return found


def test_questions_come_in_order_with_all_their_answers(tmp_path: Path) -> None:
    path = write(tmp_path, document())
    squad = read_squad(path)
    assert [(question.id, question.text, question.answers) for question in squad.questions] == [
        ("q1", "Who wrote it?", ("Annie",)),
        ("q2", "Where?", ("café", "café", "café")),
    ]
    assert {question.context for question in squad.questions} == {CONTEXT}
    assert squad.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_byte_order_mark_and_an_empty_paragraph_are_no_fault(tmp_path: Path) -> None:
    content = document()
    content["data"][0]["paragraphs"].append({"context": "", "qas": []})
    path = tmp_path / "dev.json"
    path.write_text(json.dumps(content), encoding="utf-8-sig")
    assert len(read_squad(path).questions) == 2


def test_text_is_kept_code_point_by_code_point(tmp_path: Path) -> None:
    content = document()
    context = "Cafe\u0301 \u202fcaf\u00e9\u00a0x\u200dy 北京 👩\u200d👧"
    content["data"][0]["paragraphs"][0] = {
        "context": context,
        "qas": [
            {
                "id": "q",
                "question": "?",
                "answers": [{"text": "👩\u200d👧", "answer_start": context.index("👩")}],
            }
        ],
    }
    (question,) = read_squad(write(tmp_path, content)).questions
    assert question.context == context
    assert question.answers == ("👩\u200d👧",)


def repeat_id(content: dict[str, Any]) -> None:
    questions(content)[1]["id"] = "q1"


def no_answers(content: dict[str, Any]) -> None:
    questions(content)[1]["answers"] = []


def off_by_three(content: dict[str, Any]) -> None:
    questions(content)[1]["answers"][2] = {"text": "café", "answer_start": 25}


def negative_start(content: dict[str, Any]) -> None:
    questions(content)[1]["answers"][0] = {"text": ".", "answer_start": -1}


def not_in_paragraph(content: dict[str, Any]) -> None:
    questions(content)[0]["answers"][0] = {"text": "Bertha", "answer_start": 0}


def empty_answer(content: dict[str, Any]) -> None:
    questions(content)[0]["answers"][0] = {"text": "", "answer_start": 0}


def impossible(content: dict[str, Any]) -> None:
    questions(content)[0] |= {"is_impossible": True, "answers": []}


def version_two(content: dict[str, Any]) -> None:
    content["version"] = "v2.0"


def no_context(content: dict[str, Any]) -> None:
    del content["data"][0]["paragraphs"][0]["context"]


def numeric_id(content: dict[str, Any]) -> None:
    questions(content)[0]["id"] = 7


def no_data(content: dict[str, Any]) -> None:
    content["rows"] = content.pop("data")


def no_question(content: dict[str, Any]) -> None:
    content["data"] = []


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (repeat_id, r"qas\[1\] repeats the id q1 of .*data\[0\]\.paragraphs\[0\]\.qas\[0\]"),
        (no_answers, r"qas\[1\] \(id q2\) has no accepted answer"),
        (off_by_three, r"answers\[2\] has answer_start 25, but 'café' stands at 22 first"),
        (negative_start, r"answers\[0\] has answer_start -1, but '\.' stands at 26 first"),
        (not_in_paragraph, r"'Bertha' stands nowhere in the paragraph"),
        (empty_answer, r"\(id q1\)\.answers\[0\] has an empty text"),
        (impossible, r"\(id q1\) is a SQuAD v2\.0 question"),
        (version_two, r"is SQuAD v2\.0: the benchmark is defined on v1\.1"),
        (no_context, r"data\[0\]\.paragraphs\[0\] lacks 'context' \(str\)"),
        (numeric_id, r"qas\[0\] lacks 'id' \(str\)"),
        (no_data, r"dev\.json lacks 'data' \(list\)"),
        (no_question, r"holds no question"),
    ],
)
def test_a_fault_is_named_with_its_place(
    tmp_path: Path, spoil: Callable[[dict[str, Any]], None], sentence: str
) -> None:
    content = document()
    spoil(content)
    with pytest.raises(DataError, match=sentence) as caught:
        read_squad(write(tmp_path, content))
    assert "dev.json" in str(caught.value)


@pytest.mark.parametrize("content", [b"", b'{"data": [', b"<html>", b"\xff\xfe\xff"])
def test_what_is_not_json_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "dev.json"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"dev\.json is not JSON text"):
        read_squad(path)


def test_a_list_at_the_top_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="lacks 'data'"):
        read_squad(write(tmp_path, [document()]))


def test_an_absent_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"absent\.json can't be read"):
        read_squad(tmp_path / "absent.json")


def test_the_dev_set_is_read_whole(dev_set: SquadSet) -> None:
    assert len(dev_set.questions) == 10_570
    assert len({question.context for question in dev_set.questions}) == 2_067
    assert sum(len(question.answers) for question in dev_set.questions) == 34_726


def test_the_multilingual_set_is_read_whole(shared: Path) -> None:
    squad = read_squad(shared / "data/squad/xquad-en.json")
    assert len(squad.questions) == 1_190
