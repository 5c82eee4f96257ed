"""What can be refused at once, before a model is found or made: the file's place, the source, the
backend's options and devices. What is found here costs seconds; found later, the whole making."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from datasets.errors import ModelError, UsageError
from datasets.prepared import Progress
from harness.running.errands import Errands
from harness.spec import BackendSpec, backend_from
from harness.variants.wanted import refuse_foreign, refuse_lowered
from sut.backend import OpenRequest, provider
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
