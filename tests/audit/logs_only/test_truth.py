"""The truth that an auditor names by its files: labels, an image folder, or questions."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import numpy as np
import pytest

from audit.accuracy.truth import LabelTruth, QuestionTruth
from audit.logs.accuracy_log import AccuracyRecord
from audit.logs_only.truth import TruthFiles, read_truth
from datasets.errors import DataError, UsageError

CONTEXT = "the bridge was built in 1884"


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "val_map.txt"
    path.write_text("val/b.JPEG 7\nval/a.JPEG 3\n")
    return path


def test_labels_keep_the_order_of_their_file(labels: Path) -> None:
    assert read_truth("resnet50", TruthFiles(labels)) == LabelTruth((7, 3))
    stated = read_truth("resnet50", TruthFiles(labels, dtype="int64"))
    assert stated == LabelTruth((7, 3), "int64")


def test_labels_come_from_the_published_archive(labels: Path, tmp_path: Path) -> None:
    archive = tmp_path / "caffe_ilsvrc12.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        packed.add(labels, "val.txt")
    assert read_truth("resnet50", TruthFiles(archive)) == LabelTruth((7, 3))


def test_a_folder_of_images_brings_its_labels(labels: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.JPEG").write_bytes(b"not looked at")
    assert read_truth("resnet50", TruthFiles(data=tmp_path)) == LabelTruth((7, 3))
    (tmp_path / "b.JPEG").unlink()
    with pytest.raises(DataError, match=r"b\.JPEG"):
        read_truth("resnet50", TruthFiles(data=tmp_path))


def test_questions_are_scored_by_their_vocabulary(tmp_path: Path) -> None:
    answer = {"text": "1884", "answer_start": CONTEXT.index("1884")}
    asked = {"id": "q", "question": "when", "answers": [answer]}
    paragraphs = [{"context": CONTEXT, "qas": [asked]}]
    document = {"version": "1.1", "data": [{"title": "t", "paragraphs": paragraphs}]}
    questions, vocab = tmp_path / "questions.json", tmp_path / "vocab.txt"
    questions.write_text(json.dumps(document))
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "when", *CONTEXT.split()]
    vocab.write_text("\n".join(words) + "\n")
    truth = read_truth("bert", TruthFiles(data=questions, vocab=vocab))
    assert isinstance(truth, QuestionTruth)
    features = truth.features
    logits = np.full((int(features.length[0]), 2), -5, "float16")
    logits[features.text_start[0].tolist().index(CONTEXT.index("1884"))] = 5
    score = truth.score([AccuracyRecord(0, 0, logits.tobytes(), 2)])
    assert (score.value, score.dtype) == (100.0, "float16")


@pytest.mark.parametrize(
    ("benchmark", "dtype", "said"),
    [
        ("resnet50", None, "name the label map with --labels"),
        ("resnet50", "float16", "logs answers as float32, int32, int64, not as 'float16'"),
        ("bert", None, "name the SQuAD file with --data and BERT's vocabulary with --vocab"),
        ("bert", "int32", "logs answers as float32, float16, not as 'int32'"),
        ("gpt", None, "There is no benchmark 'gpt'; those are resnet50, bert"),
    ],
)
def test_what_is_not_named_is_asked_for(benchmark: str, dtype: str | None, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        read_truth(benchmark, TruthFiles(dtype=dtype))
    assert said in str(refused.value)


def test_a_list_of_classes_is_no_label_map(tmp_path: Path) -> None:
    path = tmp_path / "synsets.txt"
    path.write_text("".join(f"n{number:08d}\n" for number in range(1000)))
    with pytest.raises(UsageError, match="lists classes but no images"):
        read_truth("resnet50", TruthFiles(path))
