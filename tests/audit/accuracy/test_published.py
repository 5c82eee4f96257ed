"""Published scores, each through a full accuracy log as LoadGen writes it, to the last digit."""

from __future__ import annotations

import gzip
import json
import re
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from audit.accuracy.spans import decode_spans
from audit.accuracy.target import Target
from audit.accuracy.top1 import logged_labels
from audit.accuracy.truth import LabelTruth, QuestionTruth, Truth
from audit.logs.accuracy_log import AccuracyRecord
from audit.scoring import score_log
from audit.verdicts import AccuracyVerdict
from datasets.questions.features import Features, read_features
from datasets.questions.squad import SquadSet
from datasets.questions.wordpiece import Vocabulary
from tests.audit.logs.cut_logs import visible
from tests.audit.written_logs import write_accuracy

SAME_SCORE = {"57283adcff5b5019007d9f95": "45°"}
"""One answer of the ensemble, 45, is a part of a word; the word is right as well."""


def scored(path: Path, truth: Truth, metric: str, value: float) -> AccuracyVerdict:
    verdict = score_log(path, path.name, truth, Target(metric, value, "published")).verdict
    assert verdict is not None
    return verdict


def test_the_accuracy_of_a_published_resnet50(tmp_path: Path) -> None:
    truth = [index % 1000 for index in range(50_000)]
    logged = [label if index < 38_039 else (label + 5) % 1000 for index, label in enumerate(truth)]
    path = tmp_path / "mlperf_log_accuracy.json"
    write_accuracy(path, ((at, np.int32(one).tobytes()) for at, one in enumerate(logged)))
    found = scored(path, LabelTruth(tuple(truth)), "top1_percent", 76.078)
    assert (found.score.value, found.score.dtype) == (76.078, "int32")
    assert (found.verdict.passed, found.verdict.margin_samples) == (True, 0)


def test_the_scores_of_the_published_bert_ensemble(
    shared: Path, dev_set: SquadSet, tmp_path: Path
) -> None:
    packed = shared / "data/squad/bert-ensemble-predictions.json.gz"
    predictions = json.loads(gzip.decompress(packed.read_bytes())) | SAME_SCORE
    features = read_features(dev_set, whole_words(dev_set, tmp_path / "vocab.txt"))
    path = tmp_path / "mlperf_log_accuracy.json"
    write_accuracy(path, enumerate(logits(features, predictions)))
    found = scored(path, QuestionTruth(features), "f1", 92.0)
    assert f"{found.score.value:.3f}" == "92.196"
    assert f"{found.score.result.exact_match:.3f}" == "86.206"  # type: ignore[union-attr]
    assert (found.score.dtype, found.score.result.total) == ("float16", 10_570)


def whole_words(questions: SquadSet, path: Path) -> Vocabulary:
    """A vocabulary in which no word of the questions has to be split.

    The reference answers with whole words where it split one; the ensemble did not.
    """
    normal, split = BertNormalizer(lowercase=True), BertPreTokenizer()
    texts = {text for one in questions.questions for text in (one.context, one.text)}
    words = {
        word for text in texts for word, _ in split.pre_tokenize_str(normal.normalize_str(text))
    }
    path.write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *sorted(words)]), "utf-8")
    return Vocabulary(path)


def logits(features: Features, predictions: Mapping[str, str]) -> Iterator[bytes]:
    """What a model would log that answers so: a peak at the answer's first and last token.

    A window that does not hold the answer has no valid span: its best starts lie behind its best
    ends.
    """
    for row, question in enumerate(features.question.tolist()):
        at = np.arange(int(features.length[row]), dtype=np.float16) / 100
        made = np.stack([at, -at], axis=1) - np.float16(10)
        asked = features.squad.questions[question]
        place = _place(features, row, asked.context, predictions[asked.id])
        if place is not None:
            made[place[0], 0] = made[place[1], 1] = 5
        yield made.tobytes()


def _place(features: Features, row: int, context: str, answer: str) -> tuple[int, int] | None:
    """The first and the last token of ``answer`` in a window, where it has its largest context."""
    for found in re.finditer(r"\s+".join(map(re.escape, answer.split())), context):
        begins = features.max_context[row] & (features.text_start[row] == found.start())
        first, last = _tokens(begins), _tokens(features.text_end[row] == found.end())
        if first and last:
            return first[0], last[-1]
    return None


def _tokens(chosen: NDArray[np.bool_]) -> list[int]:
    return [int(at) for at in np.flatnonzero(chosen)]


@pytest.mark.parametrize(("name", "dtype"), [("R", "int32"), ("B", "float16")])
def test_the_type_of_published_answers_is_recognised_from_cut_logs(
    shared: Path, tmp_path: Path, name: str, dtype: str
) -> None:
    with tarfile.open(shared / f"cases/submissions/{name}.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    logs = list(tmp_path.glob("*/*/results/*/*/*/accuracy/mlperf_log_accuracy.json"))
    found = {_dtype(visible(path)) for path in logs}
    assert (len(logs) > 1, found) == (True, {dtype})


def _dtype(records: tuple[AccuracyRecord, ...]) -> str:
    if len(records[0].data) > 8:
        return decode_spans(records).dtype
    return logged_labels(records)[1]
