"""The embedded BERT on questions it was not trained on, from the file to the score.

XQuAD's English part holds 1,190 questions of SQuAD's development set, each with one answer; SQuAD
accepts several, and the recorded score was taken against all of them.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from audit.accuracy.squad import SquadScore
from audit.accuracy.truth import Dataset, truth_of
from audit.logs.accuracy_log import read_accuracy_log
from audit.rules import load_round
from datasets.cores import usable_cores
from datasets.disk.cache import default_cache
from datasets.disk.files import sha256_of, write_json
from harness.request import Request
from harness.running.errands import Errands
from harness.running.patience import Patience
from harness.running.supervisor import supervise
from harness.spec import BackendSpec, Batching, DatasetRef, LoadGenSettings, ModelRef, RunSpec
from harness.stop import StopRequests
from tests.harness.displays import Heard

QUESTIONS = 1190
EXACT_MATCH, F1, TOLERANCE = 51.5, 63.2, 0.6
BATCH = 8


def _questions(document: Any) -> dict[str, Any]:
    """The questions of a SQuAD document, by id."""
    return {
        question["id"]: question
        for article in document["data"]
        for paragraph in article["paragraphs"]
        for question in paragraph["qas"]
    }


@pytest.fixture(scope="module")
def questions(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """XQuAD's paragraphs and questions, with every answer that SQuAD accepts."""
    document = json.loads((shared / "data/squad/xquad-en.json").read_text("utf-8"))
    accepting = shared / "data/squad/dev-v1.1-rebuilt.json.gz"
    accepted = _questions(json.loads(gzip.decompress(accepting.read_bytes())))
    assert len(_questions(document)) == QUESTIONS
    for article in document["data"]:
        for paragraph in article["paragraphs"]:
            for question in paragraph["qas"]:
                texts = [answer["text"] for answer in accepted[question["id"]]["answers"]]
                places = [paragraph["context"].index(text) for text in texts]
                question["answers"] = [
                    {"text": text, "answer_start": start}
                    for text, start in zip(texts, places, strict=True)
                ]
    path = tmp_path_factory.mktemp("xquad") / "xquad-en.json"
    write_json(path, document)
    return path


def _spec(model: ModelRef, dataset: DatasetRef) -> RunSpec:
    return RunSpec(
        benchmark="bert",
        suite="quick",
        round="v6.1",
        backend=BackendSpec("onnxruntime", "cpu"),
        model=model,
        dataset=dataset,
        loadgen=LoadGenSettings(
            scenario="Offline",
            mode="accuracy",
            seeds=load_round("v6.1").seeds,
            min_duration_ms=0,
            min_query_count=1,
            performance_sample_count=dataset.count,
            target_qps=100.0,
        ),
        batching=Batching(max_batch=BATCH, streams=1, threads=usable_cores()),
    )


def test_the_embedded_bert_scores_on_xquad_what_is_recorded_of_it(
    questions: Path, official_vocab: Path, tmp_path: Path
) -> None:
    pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed")
    request = Request("bert", "onnxruntime", "cpu", output=tmp_path, cache=default_cache())
    errands = Errands(request, tmp_path / "chores.log", StopRequests(), Heard())
    path = errands.make_model(".onnx")
    model = ModelRef("bert-embedded", str(path), sha256_of(path), "embedded")
    vocab, sha256 = official_vocab, sha256_of(questions)
    asked = DatasetRef("xquad", "squad", str(questions), sha256, 1, "own", vocab=str(vocab))
    dataset = errands.prepare(asked, layout="", dtype="int64")
    assert dataset.count >= QUESTIONS
    run = supervise(_spec(model, dataset), tmp_path / "run", StopRequests(), Patience(stall_s=300))
    assert run.finished, run.record["cause"]
    truth = truth_of(Dataset("squad", dataset.count, dataset.sha256, path=questions, vocab=vocab))
    score = truth.score(read_accuracy_log(run.folder / "mlperf_log_accuracy.json"))
    assert isinstance(score.result, SquadScore)
    assert (score.result.total, score.result.unanswered) == (QUESTIONS, 0)
    assert score.result.exact_match == pytest.approx(EXACT_MATCH, abs=TOLERANCE)
    assert score.result.f1 == pytest.approx(F1, abs=TOLERANCE)
