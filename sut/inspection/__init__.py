"""What a model file is, which runtime reads it, and how each benchmark would drive it.

What stands in the file is read from the file, so most of it is known without a runtime. A runtime
then opens the model as a run would, and its word counts for more. A file that is no model, or that
the runtime refuses, is a ModelError and never a report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from datasets.disk.regular import irregular
from datasets.errors import ModelError
from sut.backend import providers
from sut.inspection.declared import Declared
from sut.inspection.driving import Driving, driving
from sut.inspection.identity import Identity, identify
from sut.inspection.onnx_file import read_onnx
from sut.inspection.opening import Opened, open_model
from sut.inspection.tensorflow_file import SAVED_MODEL, read_frozen, read_saved_model


@dataclass(frozen=True)
class _Form:
    """A kind of model that is told by its name."""

    title: str
    suffix: str
    """The ending by which backends say that they read it."""
    read: Callable[[Path], Declared]


_FILES = (
    _Form("ONNX model", ".onnx", read_onnx),
    _Form("frozen TensorFlow graph", ".pb", read_frozen),
)
_FOLDER = _Form("TensorFlow SavedModel", ".pb", read_saved_model)


@dataclass(frozen=True)
class Inspection:
    """Everything that was found out about a model."""

    path: Path
    form: str
    identity: Identity
    declared: Declared
    """Inputs and outputs are the runtime's where it has opened the model."""
    opened: Opened
    driving: tuple[Driving, ...]
    """Empty where inputs and outputs are not known."""

    def document(self) -> dict[str, Any]:
        """The JSON form, schema ``inspection``."""
        known = self.identity.known
        return {
            "schema": "loadproof/inspection",
            "version": 1,
            "path": str(self.path),
            "form": self.form,
            "size_bytes": self.identity.size_bytes,
            "sha256": self.identity.sha256,
            "md5": self.identity.md5,
            "known": {"name": known.name, "origin": known.origin} if known else None,
            **asdict(self.declared),
            "runtime": asdict(self.opened.runtime),
            "driving": [asdict(entry) for entry in self.driving],
        }


def inspect_model(path: Path, *, opening: bool = True) -> Inspection:
    """Inspect an .onnx file, a frozen .pb file or a SavedModel folder (or the file in it).

    With ``opening``, the runtime opens the model, which takes the memory that a run takes; call it
    in a process of its own. Raises ModelError where there is no model, or none that it can open.
    """
    path = path.parent if path.name == SAVED_MODEL else path
    form = _form(path)
    declared = form.read(path)
    opened = open_model(path, form.suffix, opening=opening)
    declared = opened.over(declared)
    return Inspection(
        path=path,
        form=form.title,
        identity=identify(path),
        declared=declared,
        opened=opened,
        driving=_driving(declared),
    )


def _driving(declared: Declared) -> tuple[Driving, ...]:
    if declared.inputs is None or declared.outputs is None:
        return ()
    return driving(declared.inputs, declared.outputs)


def _form(path: Path) -> _Form:
    if not path.exists():
        raise ModelError(f"There is no model at {path}; check the path or fetch the model.")
    kind = irregular(path)
    if kind is not None:
        raise ModelError(f"{path} is {kind}, not a model; name the file itself.")
    if path.is_dir():
        return _FOLDER
    suffix = path.suffix.lower()
    known = {form.suffix: form for form in (*_files_of_others(), *_FILES)}
    if suffix in known:
        return known[suffix]
    raise ModelError(
        f"No runtime reads {path}: models are {', '.join(sorted(known))} files or SavedModel "
        "folders; export the model, or name the file after what it is."
    )


def _files_of_others() -> Iterator[_Form]:
    """Files that an installed backend reads, whatever is in them."""
    for backend in providers().values():
        for suffix in backend.model_suffixes:
            yield _Form(f"{suffix} file", suffix, lambda _: Declared())
