"""Reading a SQuAD v1.1 file, strictly: what is returned can be scored.

Every question has an id of its own and at least one accepted answer, and every answer stands in
its paragraph where the file says. Text is kept as it is, code point by code point.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from datasets.disk.regular import read_regular
from datasets.errors import DataError


@dataclass(frozen=True)
class Question:
    """One question about one paragraph. Questions of one paragraph share its ``context``."""

    id: str
    text: str
    context: str
    answers: tuple[str, ...]
    """The accepted answers, as the file lists them."""


@dataclass(frozen=True)
class SquadSet:
    """The questions of a file, in its order."""

    name: str
    questions: tuple[Question, ...]
    sha256: str
    """Of the file's bytes."""


def read_squad(path: Path, *, name: str = "squad") -> SquadSet:
    """Read the SQuAD v1.1 file at ``path``; DataError names the first place that is wrong."""
    try:
        data = read_regular(path)
    except OSError as error:
        raise DataError(f"The SQuAD file {path} can't be read: {error.strerror}.") from error
    questions = _unique(_questions(_document(data, path), path), path)
    if not questions:
        raise DataError(f"{path} holds no question.")
    return SquadSet(name, questions, hashlib.sha256(data).hexdigest())


def _document(data: bytes, path: Path) -> Any:
    try:
        document = json.loads(data)
    except ValueError as error:
        raise DataError(f"{path} is not JSON text: {error}. Fetch the file again.") from error
    version = document.get("version", "1.1") if isinstance(document, dict) else "1.1"
    if not str(version).removeprefix("v").startswith("1."):
        raise DataError(f"{path} is SQuAD {version}: the benchmark is defined on v1.1.")
    return document


def _questions(document: Any, path: Path) -> Iterator[tuple[Question, str]]:
    """Each question and where it stands."""
    for article, at_article in _items(document, "data", str(path)):
        for paragraph, at_paragraph in _items(article, "paragraphs", at_article):
            context = _field(paragraph, "context", str, at_paragraph)
            for entry, where in _items(paragraph, "qas", at_paragraph):
                yield _question(entry, context, where), where


def _question(entry: Any, context: str, where: str) -> Question:
    identity = _field(entry, "id", str, where)
    where = f"{where} (id {identity})"
    if "is_impossible" in entry or "plausible_answers" in entry:
        raise DataError(f"{where} is a SQuAD v2.0 question: the benchmark is defined on v1.1.")
    text = _field(entry, "question", str, where)
    answers = tuple(_answer(item, context, at) for item, at in _items(entry, "answers", where))
    if not answers:
        raise DataError(f"{where} has no accepted answer, so that nothing could score.")
    return Question(identity, text, context, answers)


def _answer(item: Any, context: str, where: str) -> str:
    text: str = _field(item, "text", str, where)
    start: int = _field(item, "answer_start", int, where)
    if not text:
        raise DataError(f"{where} has an empty text.")
    if start < 0 or context[start : start + len(text)] != text:
        found = context.find(text)
        place = f"stands at {found} first" if found >= 0 else "stands nowhere in the paragraph"
        raise DataError(f"{where} has answer_start {start}, but {text[:60]!r} {place}.")
    return text


def _items(owner: Any, key: str, where: str) -> Iterator[tuple[Any, str]]:
    """The entries of the list ``owner[key]``, each with where it stands."""
    for number, item in enumerate(_field(owner, key, list, where)):
        yield item, f"{where}: {key}[{number}]" if key == "data" else f"{where}.{key}[{number}]"


def _field(owner: Any, key: str, kind: type, where: str) -> Any:
    if not isinstance(owner, dict) or not isinstance(owner.get(key), kind):
        raise DataError(f"{where} lacks {key!r} ({kind.__name__}): this is no SQuAD v1.1 file.")
    return owner[key]


def _unique(found: Iterator[tuple[Question, str]], path: Path) -> tuple[Question, ...]:
    first: dict[str, str] = {}
    questions = []
    for question, where in found:
        earlier = first.setdefault(question.id, where)
        if earlier != where:
            raise DataError(f"{where} repeats the id {question.id} of {earlier}: ids are unique.")
        questions.append(question)
    return tuple(questions)
