"""Whatever stands in a description, a mapping or measurements: no check of the tree fails of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.audit.submission.trees import SampleTree, build, remove, write

VALUES: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**30), 10**30),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from([[], {}, [1], {"a": None}, "edge", "Offline", "-1", "1e999"]),
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> SampleTree:
    """One entry, of the open division."""
    tree = build(tmp_path_factory.mktemp("described"), "v5.1", "open")
    write(tree.folder / "model_mapping.json", '{"mynet": "resnet"}')
    for part in ("results", "measurements", "compliance"):
        remove(tree.folder / part / tree.system / "bert-99")
        for scenario in ("SingleStream", "MultiStream"):
            remove(tree.folder / part / tree.system / "resnet50" / scenario)
    return tree


def files(tree: SampleTree) -> tuple[Path, ...]:
    return tree.description, tree.folder / "model_mapping.json", tree.measurements_file()


def ends(tree: SampleTree, path: Path, content: bytes) -> None:
    kept = path.read_bytes()
    write(path, content)
    try:
        assert "INT-001" not in {one.rule for one in tree.check()}
    finally:
        write(path, kept)


def test_what_is_damaged_was_good(tree: SampleTree) -> None:
    assert not tree.check()


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_bytes_cut_or_changed(tree: SampleTree, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(files(tree)))
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(0, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    ends(tree, path, bytes(content[: data.draw(st.integers(0, len(content)))]))


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_values_of_other_types(tree: SampleTree, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(files(tree)))
    document = json.loads(path.read_bytes())
    document[data.draw(st.sampled_from(sorted(document)))] = data.draw(VALUES)
    ends(tree, path, json.dumps(document).encode())
