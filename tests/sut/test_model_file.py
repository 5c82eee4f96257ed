"""What lies under a model's name is named before a runtime is asked to read it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from datasets.errors import ModelError
from sut.inspection import inspect_model
from sut.model_file import check_model_file
from tests.sut.models import resnet50_onnx

LFS_POINTER = (
    b"version https://git-lfs.github.com/spec/v1\n"
    b"oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 102470000\n"
)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (LFS_POINTER, "a Git LFS pointer"),
        (b"\n\n<!DOCTYPE html><html><body>404</body></html>", "an HTML page"),
        (b"\xef\xbb\xbf<HTML lang=en>", "an HTML page"),
        (b'<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>', "an XML document"),
        (b'{"message": "not found"}', "a JSON document"),
        (b"PK\x03\x04 and more", "a ZIP archive"),
        (b"\x1f\x8b\x08 and more", "a gzip archive"),
        (b"", "an empty file"),
        (b"\x07garbage that no protobuf starts with", "stop making sense as protobuf at byte 0"),
        (b"\x08" + b"\xff" * 20, "stop making sense as protobuf at byte 1"),
        (b"\x0a\x64only a few of the hundred bytes", "cut short or corrupt"),
    ],
)
def test_what_is_no_model_is_named(tmp_path: Path, content: bytes, found: str) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(content)
    with pytest.raises(ModelError) as caught:
        check_model_file(path, ".onnx")
    assert found in str(caught.value)
    assert str(path) in str(caught.value)


def test_missing_file_folder_and_no_path_are_told_apart(tmp_path: Path) -> None:
    for path, words in [
        (None, "No model was given"),
        (tmp_path / "absent.onnx", "There is no model file at"),
        (tmp_path, "is a folder"),
    ]:
        with pytest.raises(ModelError, match=words):
            check_model_file(path, ".onnx")


def test_what_is_neither_file_nor_folder_is_named(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "model.onnx")
    for read in (lambda path: check_model_file(path, ".onnx"), inspect_model):
        with pytest.raises(ModelError, match=r"model\.onnx is a named pipe, not a"):
            read(tmp_path / "model.onnx")


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(part=st.floats(0.01, 0.99))
def test_a_model_passes_whole_and_never_half(tmp_path: Path, part: float) -> None:
    whole = resnet50_onnx(tmp_path / "whole.onnx")
    assert check_model_file(whole, ".onnx") == whole
    content = whole.read_bytes()
    graph_starts = content.index(b"\x3a")
    keep = graph_starts + 2 + int(part * (content.rindex(b"\x42") - graph_starts - 2))
    cut = tmp_path / "cut.onnx"
    cut.write_bytes(content[:keep])
    with pytest.raises(ModelError, match="cut short"):
        check_model_file(cut, ".onnx")
