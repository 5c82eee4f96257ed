"""The sample library: only what is loaded is there, and it stays right."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from datasets.errors import DataError
from datasets.samples.library import SampleLibrary
from datasets.samples.prepared import Prepared
from datasets.samples.store import ArraySpec, Recipe, RowWriter, obtain

COUNT = 20
IDS = np.arange(COUNT * 6, dtype=np.int32).reshape(COUNT, 2, 3)
LENGTHS = np.arange(100, 100 + COUNT, dtype=np.int64)


def fill(writers: Mapping[str, RowWriter]) -> str:
    writers["input_ids"].write(0, IDS)
    writers["length"].write(0, LENGTHS)
    return "k" * 64


@pytest.fixture
def library(tmp_path: Path) -> SampleLibrary:
    specs = [ArraySpec("input_ids", "int32", IDS.shape), ArraySpec("length", "int64", (COUNT,))]
    return SampleLibrary(obtain(tmp_path / "store", lambda: Recipe(specs, fill)))


def in_memory() -> SampleLibrary:
    prepared = Prepared(Path("nowhere"), "k" * 64, COUNT, {"input_ids": IDS, "length": LENGTHS})
    return SampleLibrary(prepared)


def of(*indices: int) -> NDArray[np.int64]:
    return np.array(indices, np.int64)


def test_loaded_samples_are_gathered_in_the_order_asked(library: SampleLibrary) -> None:
    assert (library.count, library.resident) == (COUNT, 0)
    library.load([7, 3, 12])
    assert library.resident == 3
    batch = library.gather(of(12, 3, 12))
    assert np.array_equal(batch["input_ids"], IDS[[12, 3, 12]])
    assert batch["length"].tolist() == [112, 103, 112]
    assert batch["input_ids"].flags.c_contiguous


def test_a_sample_that_is_not_loaded_is_named(library: SampleLibrary) -> None:
    library.load([7, 3])
    with pytest.raises(DataError, match="Sample 4 was asked for, but it isn't loaded"):
        library.gather(of(3, 4, 5))


def test_an_index_that_no_sample_has_is_refused(library: SampleLibrary) -> None:
    for bad in ([-1], [0, COUNT]):
        with pytest.raises(DataError, match="Samples are 0 to 19"):
            library.load(bad)
    assert library.resident == 0


def test_repeated_indices_are_loaded_and_unloaded_once(library: SampleLibrary) -> None:
    library.load([5, 5, 2, 5])
    assert library.resident == 2
    library.unload([5, 5])
    assert library.resident == 1
    assert np.array_equal(library.gather(of(2))["input_ids"], IDS[[2]])
    with pytest.raises(DataError, match="Sample 5"):
        library.gather(of(5))


def test_one_sample_and_neighbours_are_views_without_a_copy(library: SampleLibrary) -> None:
    library.load(range(10))
    whole = library.gather(np.arange(10))["input_ids"]
    for indices in (of(4), of(4, 5, 6)):
        view = library.gather(indices)["input_ids"]
        assert np.shares_memory(view, whole)
        assert not view.flags.writeable
    assert not np.shares_memory(library.gather(of(6, 5))["input_ids"], whole)


def test_a_view_stays_right_after_its_sample_is_unloaded(library: SampleLibrary) -> None:
    library.load([4])
    view = library.gather(of(4))["input_ids"]
    library.unload([4])
    library.load([9])
    assert np.array_equal(view, IDS[[4]])
    assert library.resident == 1


def test_lengths_are_known_without_loading(library: SampleLibrary) -> None:
    lengths = library.lengths(of(3, 0))
    assert lengths is not None
    assert lengths.tolist() == [103, 100]


def test_samples_without_lengths_say_so() -> None:
    prepared = Prepared(Path("nowhere"), "k" * 64, COUNT, {"image": IDS})
    assert SampleLibrary(prepared).lengths(of(0)) is None


def test_a_file_that_was_cut_after_it_was_opened_is_told(library: SampleLibrary) -> None:
    path = Path(str(library._prepared.arrays["input_ids"].filename))  # type: ignore[attr-defined]
    path.write_bytes(path.read_bytes()[:-8])
    library.load([0])
    with pytest.raises(DataError, match="ends early"):
        library.load([COUNT - 1])


def test_samples_of_several_loads_are_gathered_together(library: SampleLibrary) -> None:
    for part in ([2, 9], [4], [1, 17]):
        library.load(part)
    batch = library.gather(of(17, 4, 2, 4))
    assert np.array_equal(batch["input_ids"], IDS[[17, 4, 2, 4]])
    assert batch["length"].tolist() == [117, 104, 102, 104]


def test_an_array_with_a_mean_is_widened_when_it_is_loaded(tmp_path: Path) -> None:
    pixels = np.arange(COUNT * 6, dtype=np.uint8).reshape(COUNT, 2, 3)
    mean = np.array([123.68, 116.78, 103.94], np.float32)

    def write(writers: Mapping[str, RowWriter]) -> str:
        writers["image"].write(0, pixels)
        return "k" * 64

    recipe = Recipe([ArraySpec("image", "uint8", pixels.shape)], write, {"image": mean})
    library = SampleLibrary(obtain(tmp_path / "pixels", lambda: recipe))
    library.load([3, 19])
    found = library.gather(of(19, 3))["image"]
    assert found.dtype == np.float32
    assert np.array_equal(found, pixels[[19, 3]].astype(np.float32) - mean)


def test_loading_holds_no_more_than_what_is_loaded(tmp_path: Path) -> None:
    shape = (COUNT, 100_000)

    def write(writers: Mapping[str, RowWriter]) -> str:
        writers["image"].write(0, np.ones(shape, np.uint8))
        return "k" * 64

    recipe = Recipe([ArraySpec("image", "uint8", shape)], write, {"image": np.ones(1, np.float32)})
    prepared = obtain(tmp_path / "large", lambda: recipe)
    row_bytes = shape[1] * 4
    with _traced() as traced:
        library = SampleLibrary(prepared)
        for first in (0, 5, 10):
            library.load(range(first, first + 5))
            assert traced() < (library.resident + 2) * row_bytes
        library.unload(range(5, 15))
        library.load(range(15, 20))
        assert traced() < (15 + 2) * row_bytes


@contextmanager
def _traced() -> Iterator[Callable[[], int]]:
    """How many bytes were held at most since the start."""
    tracemalloc.start()
    try:
        yield lambda: tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@given(
    st.lists(st.tuples(st.booleans(), st.lists(st.integers(0, COUNT - 1), max_size=8)), max_size=12)
)
def test_the_library_holds_exactly_what_was_loaded(steps: list[tuple[bool, list[int]]]) -> None:
    library, held = in_memory(), set[int]()
    for loading, indices in steps:
        (library.load if loading else library.unload)(indices)
        held = held | set(indices) if loading else held - set(indices)
        assert library.resident == len(held)
        if held:
            asked = np.array(sorted(held, reverse=True), np.int64)
            assert np.array_equal(library.gather(asked)["input_ids"], IDS[asked])


@given(
    loads=st.lists(st.lists(st.integers(0, COUNT - 1), min_size=1), min_size=1, max_size=3),
    data=st.data(),
)
def test_a_gatherer_gathers_the_same_into_memory_of_its_own(
    loads: list[list[int]], data: st.DataObject
) -> None:
    library = in_memory()
    for load in loads:
        library.load(load)
    gather = library.gatherer()
    loaded = st.sampled_from([index for load in loads for index in load])
    for _ in range(3):
        indices = of(*data.draw(st.lists(loaded, min_size=1, max_size=8)))
        batch, expected = gather(indices), library.gather(indices)
        assert {name: array.tolist() for name, array in batch.items()} == {
            name: array.tolist() for name, array in expected.items()
        }


def test_two_gatherers_do_not_disturb_each_other_or_the_samples() -> None:
    library = in_memory()
    library.load(range(COUNT))
    one, other = library.gatherer(), library.gatherer()
    first = one(of(5, 3))["input_ids"]
    assert np.array_equal(other(of(9, 1))["input_ids"], IDS[[9, 1]])
    assert np.array_equal(first, IDS[[5, 3]])
    assert one(of(2, 8))["input_ids"].base is first.base
    assert np.array_equal(library.gather(of(5, 3))["input_ids"], IDS[[5, 3]])
