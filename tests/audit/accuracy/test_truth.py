"""From a dataset on disk and a log to a score, for each kind of dataset."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest

from audit.accuracy.squad import SquadScore
from audit.accuracy.top1 import Top1
from audit.accuracy.truth import Dataset, truth_of
from audit.logs.accuracy_log import AccuracyRecord
from datasets.errors import LoadproofError
from datasets.images.imagenet import read_imagenet
from datasets.questions.features import Features, read_features
from datasets.questions.squad import read_squad
from datasets.questions.wordpiece import Vocabulary
from datasets.samples.simulated import labels

CONTEXT = "The old bridge was built in 1884 by Anna Roth . It is 90 metres long ."
ANSWERS = {"when": "1884", "who": "Anna Roth", "length": "90 metres"}
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "what", "?"]


def records(answers: list[bytes]) -> list[AccuracyRecord]:
    return [AccuracyRecord(index, index, data, index + 2) for index, data in enumerate(answers)]


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    entries = [
        {
            "id": name,
            "question": "what ?",
            "answers": [{"text": text, "answer_start": CONTEXT.index(text)}],
        }
        for name, text in ANSWERS.items()
    ]
    document = {
        "version": "1.1",
        "data": [{"title": "t", "paragraphs": [{"context": CONTEXT, "qas": entries}]}],
    }
    path = tmp_path / "questions.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


@pytest.fixture
def vocab(tmp_path: Path) -> Path:
    path = tmp_path / "vocab.txt"
    words = [*WORDS, *dict.fromkeys(CONTEXT.lower().split())]
    path.write_text("\n".join(words) + "\n", encoding="utf-8")
    return path


def squad_dataset(
    questions: Path, vocab: Path, count: int = 3, first: int | None = None
) -> Dataset:
    sha256 = read_squad(questions).sha256
    return Dataset("squad", count, sha256, first=first, path=questions, vocab=vocab)


def pointing_at(features: Features, row: int, text: str, dtype: str) -> bytes:
    """Logits, trimmed to the sample, that are highest at the first and last token of ``text``."""
    start = CONTEXT.index(text)
    logits = np.full((int(features.length[row]), 2), -5, dtype)
    logits[features.text_start[row].tolist().index(start), 0] = 5
    logits[features.text_end[row].tolist().index(start + len(text)), 1] = 5
    return logits.tobytes()


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_bert_answers_are_cut_from_the_paragraph_and_scored(
    questions: Path, vocab: Path, dtype: str
) -> None:
    features = read_features(read_squad(questions), Vocabulary(vocab))
    spans = [*list(ANSWERS.values())[:2], "metres long"]
    logged = [pointing_at(features, row, text, dtype) for row, text in enumerate(spans)]
    score = truth_of(squad_dataset(questions, vocab)).score(records(logged))
    assert isinstance(score.result, SquadScore)
    assert score.dtype == dtype
    assert score.result.exact_match == pytest.approx(100 * 2 / 3)
    assert score.value == pytest.approx(100 * 2.5 / 3)


def test_bert_samples_sent_twice_are_scored_by_their_first_answer(
    questions: Path, vocab: Path
) -> None:
    features = read_features(read_squad(questions), Vocabulary(vocab))
    logged = [
        pointing_at(features, row, text, "float32") for row, text in enumerate(ANSWERS.values())
    ]
    again = AccuracyRecord(3, 1, pointing_at(features, 1, "bridge", "float32"), 5)
    score = truth_of(squad_dataset(questions, vocab)).score([*records(logged), again])
    assert score.value == 100.0
    assert score.repeats_that_differ == (1,)


def test_a_feature_without_an_answer_can_not_be_scored(questions: Path, vocab: Path) -> None:
    features = read_features(read_squad(questions), Vocabulary(vocab))
    logged = [pointing_at(features, 0, "1884", "float32")]
    with pytest.raises(LoadproofError, match="Only 1 of 3 samples are answered"):
        truth_of(squad_dataset(questions, vocab)).score(records(logged))


def test_questions_that_changed_since_the_plan_are_refused(questions: Path, vocab: Path) -> None:
    dataset = squad_dataset(questions, vocab)
    questions.write_text(questions.read_text("utf-8") + "\n", encoding="utf-8")
    with pytest.raises(LoadproofError, match="has changed since the runs were planned"):
        truth_of(dataset)


def test_another_number_of_samples_than_planned_is_refused(questions: Path, vocab: Path) -> None:
    with pytest.raises(LoadproofError, match="holds 3 samples, but the plan was made for 4"):
        truth_of(squad_dataset(questions, vocab, count=4))


def test_bert_needs_a_vocabulary(questions: Path) -> None:
    with pytest.raises(LoadproofError, match="names no vocabulary"):
        truth_of(Dataset("squad", 3, "0" * 64, path=questions))


@pytest.fixture
def images(tmp_path: Path) -> Path:
    folder = tmp_path / "images"
    folder.mkdir()
    for number in range(4):
        (folder / f"{number}.png").write_bytes(b"not decoded here")
    (folder / "val_map.txt").write_text(
        "".join(f"{number}.png {10 * number}\n" for number in range(4)), encoding="utf-8"
    )
    return folder


def test_labels_come_from_the_label_map(images: Path) -> None:
    dataset = Dataset("imagenet", 4, read_imagenet(images).sha256, path=images)
    logged = [struct.pack("<q", label) for label in (0, 10, 20, 31)]
    score = truth_of(dataset).score(records(logged))
    assert isinstance(score.result, Top1)
    assert (score.result.correct, score.value, score.dtype) == (3, 75.0, "int64")


def test_a_label_that_changed_since_the_plan_is_refused(images: Path) -> None:
    dataset = Dataset("imagenet", 4, read_imagenet(images).sha256, path=images)
    labels_file = images / "val_map.txt"
    labels_file.write_text(labels_file.read_text("utf-8").replace("30", "31"), encoding="utf-8")
    with pytest.raises(LoadproofError, match="has changed since the runs were planned"):
        truth_of(dataset)


def test_simulated_samples_know_their_labels() -> None:
    logged = [struct.pack("<f", label) for label in labels(20)]
    assert truth_of(Dataset("simulated", 20, "0" * 64)).score(records(logged)).value == 100.0


@pytest.mark.parametrize("kind", ["imagenet", "squad"])
def test_data_without_a_place_is_refused(kind: str, vocab: Path) -> None:
    with pytest.raises(LoadproofError, match="does not say where"):
        truth_of(Dataset(kind, 1, "0" * 64, vocab=vocab))


def test_data_that_is_gone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LoadproofError, match="no folder"):
        truth_of(Dataset("imagenet", 1, "0" * 64, path=tmp_path / "gone"))
