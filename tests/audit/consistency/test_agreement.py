"""Accuracy runs compared sample by sample: every answer that differs is found and named."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from audit.consistency.accuracy_runs import read_folders
from audit.consistency.agreement import MOST_NAMED, compare, compare_all, disagreements
from audit.consistency.answers import Answers, labels_of, read_answers, spans_of
from audit.consistency.policy import load_policy
from audit.logs.accuracy_log import AccuracyRecord
from datasets.errors import EvidenceError
from tests.audit.written_evidence import Evidence, right_answers
from tests.audit.written_logs import write_accuracy

QUALIFICATION = load_policy("qualification")
QUICK = load_policy("quick")
LABELS = st.lists(st.integers(0, 999), min_size=1, max_size=40)


def _records(answers: Sequence[tuple[int, bytes]]) -> tuple[AccuracyRecord, ...]:
    return tuple(
        AccuracyRecord(seq_id=at, qsl_idx=index, data=data, line=at + 2)
        for at, (index, data) in enumerate(answers)
    )


def _labels(name: str, labels: Sequence[int], code: str = "<f") -> Answers:
    answers = [(index, struct.pack(code, label)) for index, label in enumerate(labels)]
    return labels_of(name, _records(answers))


def _spans(name: str, logits: Sequence[NDArray[np.float32]], dtype: str = "<f4") -> Answers:
    return spans_of(
        name, _records([(index, one.astype(dtype).tobytes()) for index, one in enumerate(logits)])
    )


def _logits(count: int = 6, length: int = 64) -> list[NDArray[np.float32]]:
    random = np.random.default_rng(4)
    return [random.normal(0, 4, (length, 2)).astype(np.float32) for _ in range(count)]


def test_one_flipped_answer_among_ten_thousand_is_named_with_its_sample() -> None:
    labels = np.random.default_rng(1).integers(0, 1000, 10_000)
    flipped = labels.copy()
    flipped[7321] = (flipped[7321] + 1) % 1000
    pair = compare(_labels("Offline", labels.tolist()), _labels("Server", flipped.tolist()))
    assert (pair.compared, pair.differing, pair.samples) == (10_000, 1, (7321,))
    (said,) = disagreements([pair], QUALIFICATION)
    assert said.severity == "warning"
    assert "Offline and Server answer 1 of 10000 samples otherwise, first sample 7321" in (
        said.sentence
    )


@given(LABELS, st.data())
def test_what_differs_is_what_was_changed(labels: list[int], data: st.DataObject) -> None:
    changed = data.draw(st.sets(st.integers(0, len(labels) - 1)))
    other = [label + 1 if at in changed else label for at, label in enumerate(labels)]
    pair = compare(_labels("a", labels), _labels("b", other))
    assert pair.differing == len(changed)
    assert list(pair.samples) == sorted(changed)[:MOST_NAMED]


@given(LABELS)
def test_the_type_that_a_label_is_logged_in_is_no_difference(labels: list[int]) -> None:
    pairs = compare_all([_labels(code, labels, code) for code in ("<f", "<i", "<q")])
    assert [pair.differing for pair in pairs] == [0, 0, 0]


def test_the_order_of_the_log_and_repeated_samples_are_no_difference() -> None:
    answers = [(index, struct.pack("<f", 10 * index)) for index in range(8)]
    shuffled = [*reversed(answers), answers[3]]
    pair = compare(labels_of("a", _records(answers)), labels_of("b", _records(shuffled)))
    assert (pair.compared, pair.differing, pair.only_in_one) == (8, 0, 0)


def test_only_samples_that_both_have_are_compared() -> None:
    answers = [(index, struct.pack("<f", index)) for index in range(8)]
    pair = compare(labels_of("a", _records(answers[:6])), labels_of("b", _records(answers[4:])))
    assert (pair.compared, pair.only_in_one, pair.differing) == (2, 6, 0)
    apart = compare(labels_of("a", _records(answers[:4])), labels_of("b", _records(answers[4:])))
    assert (apart.compared, apart.differing_percent) == (0, 0.0)


def test_the_largest_logit_difference_is_given_with_its_sample() -> None:
    logits = _logits()
    other = [one.copy() for one in logits]
    other[2] += 0.01
    other[4] -= 0.25
    pair = compare(_spans("a", logits), _spans("b", other))
    assert pair.differing == 0
    assert pair.logits is not None
    assert pair.logits.sample == 4
    assert pair.logits.value == pytest.approx(0.25, abs=1e-5)


def test_an_answer_of_bert_is_its_most_likely_start_and_end() -> None:
    logits = _logits()
    other = [one.copy() for one in logits]
    other[3][int(other[3][:, 1].argmin()), 1] = 30.0
    pair = compare(_spans("a", logits), _spans("b", other))
    assert (pair.differing, pair.samples) == (1, (3,))


def test_half_precision_and_padding_are_no_other_answer() -> None:
    logits = _logits()
    padded = [np.concatenate([one, np.full((64, 2), -1e4, np.float32)]) for one in logits]
    (half, pad, _) = compare_all(
        [_spans("full", logits), _spans("half", logits, "<f2"), _spans("padded", padded)]
    )
    assert half.differing == 0
    assert half.logits is not None
    assert 0 < half.logits.value < 0.02
    assert (pad.differing, pad.logits and pad.logits.value) == (0, 0.0)


def test_more_than_the_policy_allows_is_an_error_where_unstable_leaves_no_result() -> None:
    labels = list(range(100))
    pair = compare(_labels("a", labels), _labels("b", [5, 6, *labels[2:]]))
    (strict,) = disagreements([pair], QUALIFICATION)
    assert (strict.rule, strict.severity) == ("consistency.answers_differ", "error")
    (wide,) = disagreements([pair], QUICK)
    assert (wide.rule, wide.severity) == ("consistency.answers_differ", "warning")


def test_one_answer_of_a_small_dataset_is_never_too_many() -> None:
    pair = compare(_labels("a", [1, 2, 3]), _labels("b", [1, 2, 4]))
    (said,) = disagreements([pair], QUALIFICATION)
    assert (said.rule, said.severity) == ("consistency.answers_flip", "warning")


def test_a_log_is_read_by_its_benchmark(tmp_path: Path) -> None:
    path = write_accuracy(tmp_path / "mlperf_log_accuracy.json", right_answers())
    answers = read_answers("Offline", path, "resnet50")
    assert answers.choices.shape == (50, 1)
    (logits,) = _logits(1)
    write_accuracy(path, [(0, logits.tobytes())])
    assert read_answers("Offline", path, "bert").choices.shape == (1, 2)


def test_folders_of_several_backends_are_compared_run_by_run(tmp_path: Path) -> None:
    for backend in ("onnxruntime", "tensorflow"):
        Evidence(tmp_path / backend, ("Offline", "Server"), repeats=1)
    answers = read_folders([tmp_path / "onnxruntime", tmp_path / "tensorflow"])
    assert [one.name for one in answers] == [
        "onnxruntime/Offline",
        "onnxruntime/Server",
        "tensorflow/Offline",
        "tensorflow/Server",
    ]
    assert {pair.differing for pair in compare_all(answers)} == {0}


def test_a_folder_without_plan_or_answers_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(EvidenceError, match="empty is no evidence folder"):
        read_folders([tmp_path / "empty"])
    evidence = Evidence(tmp_path / "cut", repeats=1)
    (evidence.run(repeat=None) / "mlperf_log_accuracy.json").unlink()
    with pytest.raises(EvidenceError, match="cut has no accuracy run"):
        read_folders([tmp_path / "cut"])


def test_folders_of_two_benchmarks_are_refused(tmp_path: Path) -> None:
    Evidence(tmp_path / "a", repeats=1)
    Evidence(tmp_path / "b", repeats=1).replan(benchmark="bert")
    with pytest.raises(EvidenceError, match="one benchmark"):
        read_folders([tmp_path / "a", tmp_path / "b"])
