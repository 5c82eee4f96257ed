"""Whatever stands in a single file: a check of the tree ends, and no check fails of itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.audit.submission.trees import SampleTree, build, write

VALUES: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**30), 10**30),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from([[], {}, [1], {"a": None}, "Offline", "VALID", "-1", "1e999"]),
)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> SampleTree:
    return build(tmp_path_factory.mktemp("fuzzed"), "v5.1")


@contextmanager
def changed(path: Path, content: bytes) -> Iterator[None]:
    kept = path.read_bytes()
    write(path, content)
    try:
        yield
    finally:
        write(path, kept)


def files(tree: SampleTree) -> list[Path]:
    """One entry's, and what all share: the others' are alike."""
    others = ("SingleStream", "MultiStream", "bert-99")
    kept = (path for path in tree.root.rglob("*") if not {*others} & {*path.parts})
    return sorted(path for path in kept if path.is_file())


def ends(tree: SampleTree, path: Path, content: bytes) -> None:
    with changed(path, content):
        assert "INT-001" not in {one.rule for one in tree.check()}


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
    path = data.draw(st.sampled_from([one for one in files(tree) if _holds_members(one)]))
    lines = path.read_text().splitlines(keepends=True)
    logs = path.suffix == ".txt"
    number = data.draw(st.integers(0, len(lines) - 1)) if logs else 0
    text = lines[number].removeprefix(":::MLLOG ") if logs else path.read_text()
    document = json.loads(text)
    document["value" if logs else data.draw(st.sampled_from(sorted(document)))] = data.draw(VALUES)
    if logs:
        lines[number] = f":::MLLOG {json.dumps(document)}\n"
    ends(tree, path, ("".join(lines) if logs else json.dumps(document)).encode())


def _holds_members(path: Path) -> bool:
    """Whether it is a detail log or an object of named members."""
    described = path.suffix == ".json" and path.name != "mlperf_log_accuracy.json"
    return described or path.name == "mlperf_log_detail.txt"
