"""What inspecting says of files that are no model, or none that the runtime takes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit import schema
from datasets.errors import ModelError
from sut.inspection import inspect_model
from tests.sut.models import relu_onnx
from tests.sut.test_model_file import LFS_POINTER


def test_an_unknown_operator_is_named(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed")
    with pytest.raises(ModelError, match="uses the operator Frobnicate"):
        inspect_model(relu_onnx(tmp_path / "model.onnx", operator="Frobnicate"))


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("model.onnx", LFS_POINTER, "a Git LFS pointer"),
        ("model.pb", LFS_POINTER, "a Git LFS pointer"),
        ("model.onnx", b"", "an empty file"),
        ("model.pb", b"", "an empty file"),
        ("model.onnx", b"\x3a\x64only a few of the hundred bytes", "cut short or corrupt"),
        ("model.onnx", b"\x08\x08\x3a\x03\x5a\x10\x0a\x42\x02\x10\x0d", "at byte 4"),
        ("model.onnx", b"\x0a\x04\x0a\x02ab", "no ONNX model: it has no graph"),
        ("model.onnx", b"\x3a\x00", "no ONNX model: it has no set of operators"),
        ("model.pb", b"\x08\x08\x22\x00", "stop making sense"),
        ("model.pb", b"\x22\x00", "no frozen graph: it has no node"),
        ("model.bin", b"weights", r"models are .*\.onnx, .*\.pb files or SavedModel folders"),
    ],
)
def test_what_is_no_model_is_named(tmp_path: Path, name: str, content: bytes, found: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ModelError, match=found) as caught:
        inspect_model(path)
    assert str(path) in str(caught.value)


def test_missing_models_and_folders_of_other_things_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"There is no model at .*absent\.onnx"):
        inspect_model(tmp_path / "absent.onnx")
    with pytest.raises(ModelError, match=r"no SavedModel: it has no saved_model\.pb"):
        inspect_model(tmp_path)
    (tmp_path / "saved_model.pb").write_bytes(LFS_POINTER)
    with pytest.raises(ModelError, match="a Git LFS pointer"):
        inspect_model(tmp_path)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(place=st.floats(0, 1, exclude_max=True), byte=st.integers(0, 255), cut=st.booleans())
def test_a_spoilt_file_is_inspected_or_refused_and_never_breaks_down(
    tmp_path: Path, place: float, byte: int, cut: bool
) -> None:
    path = tmp_path / "spoilt.onnx"
    content = bytearray(relu_onnx(path).read_bytes())
    at = int(place * len(content))
    content[at] = byte
    path.write_bytes(content[: at + 1] if cut else content)
    try:
        document = inspect_model(path, opening=False).document()
    except ModelError as error:
        assert str(path) in str(error)
    else:
        assert schema.problems(json.loads(json.dumps(document)), "inspection") == []
