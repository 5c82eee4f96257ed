"""BERT models of the three official files' shapes log every token's two logits and no padding."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.errors import ModelError, UsageError
from sut.adapters import adapter_for
from sut.adapters.bert import bert_adapter
from sut.backend import Backend, OpenRequest, Tensor, provider
from tests.sut.models import BERT_FP32_NAMES, BERT_INT8_NAMES, END, START, bert_onnx
from tests.sut.samples import expected_logits, features

LENGTHS = (60, 384, 65)


def inputs(names: Sequence[str] = BERT_FP32_NAMES, tokens: int | None = None) -> list[Tensor]:
    return [Tensor(name, "int64", (None, tokens)) for name in names]


def logits(name: str, *sizes: int | None) -> Tensor:
    return Tensor(name, "float32", (None, *sizes))


PAIR = [logits(START, None), logits(END, None)]


def open_model(path: Path) -> Backend:
    pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed")
    return provider("onnxruntime").open(OpenRequest(path))


@pytest.mark.parametrize("names", [BERT_FP32_NAMES, BERT_INT8_NAMES], ids=["fp32", "int8"])
@pytest.mark.parametrize("tokens", [384, "S"])
@pytest.mark.parametrize("joined", [False, True], ids=["pair", "joined"])
def test_answers_are_trimmed_logits_whatever_the_export(
    tmp_path: Path, names: tuple[str, ...], tokens: int | str, joined: bool
) -> None:
    model = bert_onnx(tmp_path / "m.onnx", names=names, tokens=tokens, joined=joined)
    backend = open_model(model)
    adapter = adapter_for("bert", backend, {})
    samples = features(LENGTHS, adapter.needs.dtype)
    answers = adapter.answers(backend.predict(adapter.feeds(samples), adapter.outputs), samples)
    for row, data in enumerate(answers.texts()):
        assert data == expected_logits(samples, row).tobytes()


def test_a_fixed_batch_is_stated(tmp_path: Path) -> None:
    adapter = adapter_for("bert", open_model(bert_onnx(tmp_path / "m.onnx", batch=1)), {})
    assert adapter.max_batch == 1
    assert "fixes the batch at 1" in adapter.facts["warning"]


@pytest.mark.parametrize(
    ("lengths", "tokens", "options", "width"),
    [
        ((1,), None, {}, 64),
        ((64, 3), None, {}, 64),
        ((65, 3), None, {}, 128),
        ((321,), None, {}, 384),
        ((384,), None, {}, 384),
        ((65,), 384, {}, 384),
        ((65,), None, {"pad": "384"}, 384),
        ((65,), None, {"pad": "batch"}, 128),
    ],
)
def test_a_batch_is_as_long_as_its_longest_sample_needs(
    lengths: tuple[int, ...], tokens: int | None, options: dict[str, str], width: int
) -> None:
    adapter = bert_adapter(inputs(tokens=tokens), PAIR, options)
    feeds = adapter.feeds(features(lengths, "int64"))
    assert {array.shape for array in feeds.values()} == {(len(lengths), width)}
    assert all(array.flags.c_contiguous for array in feeds.values())


@settings(max_examples=30, deadline=None)
@given(lengths=st.lists(st.integers(1, 384), min_size=1, max_size=6), joined=st.booleans())
def test_every_sample_gets_exactly_its_own_logits(lengths: list[int], joined: bool) -> None:
    outputs = [logits("logits:0", None, 2)] if joined else PAIR
    adapter = bert_adapter(inputs(), outputs, {})
    samples = features(lengths, "int64")
    width = next(iter(adapter.feeds(samples).values())).shape[1]
    rows = np.arange(len(lengths) * width, dtype=np.float32).reshape(len(lengths), width)
    answered = [np.stack([rows, -rows], axis=2)] if joined else [rows, -rows]
    answers = adapter.answers(answered, samples)
    for row, data in enumerate(answers.texts()):
        start, end = np.frombuffer(data, "<f4").reshape(-1, 2).T
        np.testing.assert_array_equal(start, rows[row, : lengths[row]])
        np.testing.assert_array_equal(end, -start)


def test_token_ids_take_the_type_that_the_model_wants() -> None:
    tensors = [Tensor(f"{name}:0", "int32", (None, None)) for name in BERT_FP32_NAMES]
    adapter = bert_adapter(tensors, [logits("logits:0", 384, 2)], {})
    assert adapter.needs.dtype == "int32"
    feeds = adapter.feeds(features((384,), "int32"))
    assert set(feeds) == {"input_ids:0", "input_mask:0", "segment_ids:0"}
    assert {array.dtype.name for array in feeds.values()} == {"int32"}


def test_start_and_end_are_told_apart_by_name() -> None:
    assert bert_adapter(inputs(), PAIR[::-1], {}).outputs == (START, END)
    unnamed = [logits("1703", 384), logits("1704", 384)]
    assert bert_adapter(inputs(), unnamed, {}).outputs == ("1703", "1704")


@pytest.mark.parametrize(
    ("found_inputs", "found_outputs", "found"),
    [
        (inputs(("input_ids", "input_mask")), PAIR, "its inputs are: input_ids int64 [?, ?]"),
        (inputs((*BERT_FP32_NAMES, "position_ids")), PAIR, "position_ids int64 [?, ?]"),
        (inputs(("input_ids", "input_mask", "attention_mask")), PAIR, "attention_mask int64"),
        (inputs(tokens=128), PAIR, "input_ids int64 [?, 128]"),
        ([Tensor("input_ids", "float32", (None, 384))], PAIR, "input_ids float32 [?, 384]"),
        (inputs(), [PAIR[0]], f"its outputs are: {START} float32 [?, ?]"),
        (inputs(), [logits("logits", None, 30522)], "logits float32 [?, ?, 30522]"),
    ],
)
def test_an_unfit_model_is_refused_saying_what_it_has(
    found_inputs: list[Tensor], found_outputs: list[Tensor], found: str
) -> None:
    with pytest.raises(ModelError) as caught:
        bert_adapter(found_inputs, found_outputs, {})
    assert "can't run bert" in str(caught.value)
    assert found in str(caught.value)


def test_an_unknown_padding_is_refused() -> None:
    with pytest.raises(UsageError, match="pad=128"):
        bert_adapter(inputs(tokens=384), PAIR, {"pad": "128"})


def test_logits_that_do_not_fit_the_batch_are_refused() -> None:
    adapter = bert_adapter(inputs(), PAIR, {})
    short = np.zeros((1, 64), np.float32)
    with pytest.raises(ModelError, match="2 samples of 128 tokens"):
        adapter.answers([short, short], features((3, 99), "int64"))
