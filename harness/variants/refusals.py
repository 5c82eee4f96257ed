"""What can be refused at once, before a model is found or made: the file's place, the source, the
backend's options and devices. What is found here costs seconds; found later, the whole making."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from datasets.errors import ModelError, UsageError
from datasets.samples.prepared import Progress
from harness.running.errands import Errands
from harness.spec import BackendSpec, backend_from
from harness.variants.wanted import SOURCE_PRECISION
from sut.backend import OpenRequest, provider
from sut.backends.onnxruntime.quantised import precision_of
from sut.inspection.onnx_file import made_facts
from sut.model_file import check_model_file
from sut.quantization.recipes import Recipe


def refuse_early(
    errands: Errands, backend: BackendSpec, how: Recipe | None, target: Path | None
) -> None:
    """UsageError, ModelError, BackendError or DeviceError; ``target`` is the file asked for, and
    ``how`` None where no file is made."""
    request = errands.request
    if how is not None:
        refuse_unplaceable(target or Path("made.onnx"))
        if request.model is not None:
            refuse_lowered(request.model)
    if target is not None:
        refuse_foreign(target)
    wanted = {"backend": asdict(backend)}
    errands.ask(f"{__name__}:check_backend", wanted, f"looking for {backend.name}")


def refuse_unplaceable(target: Path) -> None:
    """UsageError where no file can be made at ``target``; folders that lack are made later."""
    folders = target.absolute().parents
    there = next(folder for folder in folders if os.path.lexists(folder))
    if not there.is_dir():
        raise UsageError(f"{target} can't be made: {there} is no folder; name another with --to.")
    if not os.access(there, os.W_OK | os.X_OK):
        raise UsageError(
            f"{target} can't be made: nothing may be written in {there}; name another with --to."
        )


def refuse_foreign(target: Path) -> None:
    """UsageError where a file would be overwritten that no earlier command of ours has made."""
    if target.suffix != ".onnx":
        raise UsageError(f"{target} can't be the made model: its name must end in .onnx.")
    if target.exists() and not made_facts(target):
        raise UsageError(
            f"{target} is there already and was not made by `loadproof quantize`: move it away, or "
            "name another file with --to."
        )


def refuse_lowered(source: Path) -> None:
    """UsageError where the source itself is of a lower precision: nothing is made twice; ModelError
    where it is no model at all."""
    found = precision_of(check_model_file(source, ".onnx"))
    if found != SOURCE_PRECISION:
        raise UsageError(
            f"{source} is {found} already; name the float32 model that it was made from."
        )


def check_backend(wanted: dict[str, Any], _progress: Progress) -> dict[str, Any]:
    """Open {backend} without a model, in a child process: whatever speaks against its options and
    devices is raised, that the model is missing comes last and is as it should be."""
    backend = backend_from(wanted["backend"])
    for index in backend.devices:
        asked = OpenRequest(
            None, backend.device, index, precision=backend.precision, options=backend.options
        )
        try:
            provider(backend.name).open(asked).close()
        except ModelError:
            continue
    return {}
