"""Recognises what lies under a model's name before a runtime is asked to read it.

Runtimes call everything they can't parse "invalid protobuf"; what people really have is a pointer
that Git LFS left behind, the web page of an error, or half a download. Both ONNX models and frozen
TensorFlow graphs are protobuf messages, so a cut file is one whose last field runs past its end.
"""

from __future__ import annotations

import mmap
from pathlib import Path

from datasets.errors import ModelError
from datasets.foreign import HEAD_BYTES, foreign_kind

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_FIXED_SIZES = {_FIXED64: 8, _FIXED32: 4}


def check_model_file(path: Path | None, suffix: str) -> Path:
    """``path``, if a model of the kind ``suffix`` (``.onnx``) may lie there; else ModelError.

    Refused are: no path, a missing or empty file, a folder, a known foreign kind (Git LFS pointer,
    web page, archive), bytes that are not a protobuf message, and a message that is cut short.
    """
    if path is None:
        raise ModelError(f"No model was given; name a {suffix} file with --model.")
    if not path.exists():
        raise ModelError(f"There is no model file at {path}; check the path or fetch the model.")
    if path.is_dir():
        raise ModelError(f"{path} is a folder, not a {suffix} file; name the file inside it.")
    if path.stat().st_size == 0:
        raise ModelError(f"{path} is an empty file, not a model; fetch it again.")
    _refuse_foreign(path)
    _refuse_broken(path)
    return path


def _refuse_foreign(path: Path) -> None:
    with path.open("rb") as file:
        kind = foreign_kind(file.read(HEAD_BYTES), path.name)
    if kind is not None:
        raise ModelError(f"{path} is {kind.found}, not a model; {kind.fix}.")


def _refuse_broken(path: Path) -> None:
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        position = 0
        while position < len(data):
            position = _after_field(data, position, path)
        if position > len(data):
            raise ModelError(
                f"{path} is cut short or corrupt: its {len(data)} bytes end "
                f"{position - len(data)} bytes before its last field does; fetch it again."
            )


def _after_field(data: mmap.mmap, start: int, path: Path) -> int:
    """Where the protobuf field that starts at ``start`` ends; may lie past the end of the data."""
    tag, position = _varint(data, start, path)
    kind = tag & 7
    if kind in _FIXED_SIZES and tag >> 3:
        return position + _FIXED_SIZES[kind]
    if kind not in (_VARINT, _BYTES) or not tag >> 3:
        raise _corrupt(path, start)
    value, position = _varint(data, position, path)
    return position + value if kind == _BYTES else position


def _varint(data: mmap.mmap, start: int, path: Path) -> tuple[int, int]:
    value = 0
    for index, byte in enumerate(data[start : start + 10]):
        value |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            return value, start + index + 1
    raise _corrupt(path, start)


def _corrupt(path: Path, position: int) -> ModelError:
    return ModelError(
        f"{path} is not a model, or is corrupt: its bytes stop making sense as protobuf "
        f"at byte {position}; fetch it again and compare its checksum."
    )
