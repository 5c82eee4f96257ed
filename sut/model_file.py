"""Recognises what lies under a model's name before a runtime is asked to read it.

Runtimes call everything they can't parse "invalid protobuf"; what people really have is a pointer
that Git LFS left behind, the web page of an error, or half a download. Both ONNX models and frozen
TensorFlow graphs are protobuf messages, so a cut file is one whose last field runs past its end.
"""

from __future__ import annotations

from pathlib import Path

from datasets.disk.foreign import HEAD_BYTES, foreign_kind
from datasets.disk.regular import irregular
from datasets.errors import ModelError
from sut.protobuf import message_in


def check_model_file(path: Path | None, suffix: str) -> Path:
    """``path``, if a model of the kind ``suffix`` (``.onnx``) may lie there; else ModelError.

    Refused are: no path, a missing or empty file, a folder, a pipe or device, a known foreign kind
    (Git LFS pointer, web page, archive), bytes that are not a protobuf message, and a message that
    is cut short.
    """
    if path is None:
        raise ModelError(f"No model was given; name a {suffix} file with --model.")
    if not path.exists():
        raise ModelError(f"There is no model file at {path}; check the path or fetch the model.")
    if path.is_dir():
        raise ModelError(f"{path} is a folder, not a {suffix} file; name the file inside it.")
    kind = irregular(path)
    if kind is not None:
        raise ModelError(f"{path} is {kind}, not a {suffix} file; name the file itself.")
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
    with message_in(path) as message:
        for _ in message.fields():
            pass
