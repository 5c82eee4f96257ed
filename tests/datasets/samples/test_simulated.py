"""Samples of the simulated device."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.samples.simulated import labels, prepare_arrays, prepare_labels


def test_labels_are_the_same_everywhere_and_span_the_classes() -> None:
    assert labels(4).tolist() == [581, 102, 310, 232]
    many = labels(20_000)
    assert set(many.tolist()) == set(range(1000))
    assert np.array_equal(many[:100], labels(100))


def test_prepared_answers_are_the_labels(tmp_path: Path) -> None:
    prepared = prepare_labels(100, tmp_path)
    assert prepared.count == 100
    assert prepared.arrays["answer"].dtype == np.float32
    assert np.array_equal(prepared.arrays["answer"], labels(100))


def test_a_store_is_found_again_and_its_key_is_its_content(tmp_path: Path) -> None:
    first = prepare_labels(100, tmp_path)
    assert prepare_labels(100, tmp_path).key == first.key
    assert prepare_labels(100, tmp_path / "elsewhere").key == first.key
    assert prepare_labels(101, tmp_path).key != first.key


def test_arrays_of_any_shape_are_kept(tmp_path: Path) -> None:
    arrays: dict[str, NDArray[Any]] = {
        "answer": np.arange(24, dtype=np.float32).reshape(3, 4, 2),
        "length": np.arange(3),
    }
    prepared = prepare_arrays(tmp_path / "spans", arrays)
    assert prepared.count == 3
    for name, array in arrays.items():
        assert prepared.arrays[name].dtype == array.dtype
        assert np.array_equal(prepared.arrays[name], array)
