"""BERT's features: golden tensors over a tiny vocabulary, and the official count."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.errors import DataError, UsageError
from datasets.questions.features import Features, read_features
from datasets.questions.preparing import prepare_features
from datasets.questions.squad import Question, SquadSet
from datasets.questions.wordpiece import Vocabulary
from tests.datasets.conftest import TINY_VOCABULARY


def squad_of(*pairs: tuple[str, str]) -> SquadSet:
    """A set of (question, paragraph) pairs."""
    questions = [Question(f"q{n}", text, context, ()) for n, (text, context) in enumerate(pairs)]
    return SquadSet("tiny", tuple(questions), "0" * 64)


def tokens(features: Features, row: int) -> str:
    ids = features.input_ids[row, : features.length[row]]
    return " ".join(TINY_VOCABULARY[piece] for piece in ids)


def test_golden_tensors(tiny_vocab: Path) -> None:
    features = read_features(squad_of(("Who wrote?", "Annie wr.")), Vocabulary(tiny_vocab))
    assert len(features) == 1
    assert features.input_ids[0, :14].tolist() == [2, 4, 9, 10, 6, 3, 7, 8, 9, 11, 3, 0, 0, 0]
    assert features.input_mask[0, :14].tolist() == [1] * 11 + [0] * 3
    assert features.segment_ids[0, :14].tolist() == [0] * 6 + [1] * 5 + [0] * 3
    assert not features.input_ids[0, 11:].any()
    assert features.length.tolist() == [11]
    assert features.text_start[0, :12].tolist() == [-1] * 6 + [0, 3, 6, 8] + [-1] * 2
    assert features.text_end[0, :12].tolist() == [-1] * 6 + [3, 5, 8, 9] + [-1] * 2
    assert np.flatnonzero(features.max_context[0]).tolist() == [6, 7, 8, 9]


def test_a_question_keeps_64_pieces(tiny_vocab: Path) -> None:
    features = read_features(squad_of(("who " * 100, "it")), Vocabulary(tiny_vocab))
    assert tokens(features, 0) == "[CLS] " + "who " * 64 + "[SEP] it [SEP]"


def test_a_long_paragraph_has_overlapping_windows(tiny_vocab: Path) -> None:
    context = " ".join("ab"[word % 2] for word in range(900))
    features = read_features(squad_of(("who?", "it"), ("who?", context)), Vocabulary(tiny_vocab))
    assert features.question.tolist() == [0, 1, 1, 1, 1, 1, 1]
    assert features.length.tolist() == [6, 384, 384, 384, 384, 384, 2 + 3 + 900 - 5 * 128]
    starts = features.text_start[1:, 4]
    assert starts.tolist() == [2 * 128 * window for window in range(6)]
    assert (features.text_start[1] >= 0).sum() == 384 - 2 - 3


def test_every_token_of_a_paragraph_has_its_largest_context_once(tiny_vocab: Path) -> None:
    context = " ".join("ab"[word % 2] for word in range(900))
    features = read_features(squad_of(("who?", context)), Vocabulary(tiny_vocab))
    places = features.text_start[features.max_context]
    assert sorted(places.tolist()) == [2 * word for word in range(900)]


def test_a_question_about_an_empty_paragraph_has_no_feature(tiny_vocab: Path) -> None:
    squad = squad_of(("who?", ""), ("who?", " \n"), ("who?", "it"))
    assert read_features(squad, Vocabulary(tiny_vocab)).question.tolist() == [2]


def test_a_set_without_words_is_refused(tiny_vocab: Path) -> None:
    with pytest.raises(DataError, match="No paragraph of tiny has a word"):
        read_features(squad_of(("who?", " ")), Vocabulary(tiny_vocab))


@pytest.mark.parametrize("dtype", ["int64", "int32"])
def test_prepared_arrays_are_the_features(tiny_vocab: Path, tmp_path: Path, dtype: str) -> None:
    squad = squad_of(("Who wrote it?", "Annie wrote it."), ("who?", "a " * 500))
    features = read_features(squad, Vocabulary(tiny_vocab))
    seen: list[tuple[int, int]] = []
    prepared = prepare_features(
        squad, tiny_vocab, dtype, tmp_path, lambda done, total: seen.append((done, total))
    )
    assert prepared.count == len(features) == seen[-1][0] == seen[-1][1]
    for name in ("input_ids", "input_mask", "segment_ids"):
        assert prepared.arrays[name].dtype == np.dtype(dtype)
        assert np.array_equal(prepared.arrays[name], getattr(features, name))
    assert prepared.arrays["length"].dtype == np.int64
    assert np.array_equal(prepared.arrays["length"], features.length)


def test_prepared_features_are_used_again(tiny_vocab: Path, tmp_path: Path) -> None:
    seen: list[int] = []
    squad = squad_of(("who?", "it"))
    first = prepare_features(
        squad, tiny_vocab, "int64", tmp_path, lambda done, _: seen.append(done)
    )
    again = prepare_features(
        squad, tiny_vocab, "int64", tmp_path, lambda done, _: seen.append(done)
    )
    assert seen == [1]
    assert first.key == again.key
    other = prepare_features(squad, tiny_vocab, "int32", tmp_path)
    assert other.key != first.key


def test_another_element_type_is_refused(tiny_vocab: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'float32': use int64 or int32"):
        prepare_features(squad_of(("who?", "it")), tiny_vocab, "float32", tmp_path)


def test_the_dev_set_gives_the_official_count(dev_set: SquadSet, official_vocab: Path) -> None:
    features = read_features(dev_set, Vocabulary(official_vocab))
    assert len(features) == 10_833
    assert features.length.max() == 384
    assert len(np.unique(features.question)) == 10_570
    assert features.input_ids[0, :12].tolist() == [
        *(101, 2029, 5088, 2136, 3421, 1996, 10511, 2012, 3565, 4605, 2753, 1029)
    ]
