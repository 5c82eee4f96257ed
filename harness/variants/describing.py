"""What is said of a variant: for which division it is, and which command qualifies it."""

from __future__ import annotations

from typing import Any

from harness.request import Request
from harness.sources import Sources
from harness.variants.calibration import CalibrationChoice, is_official


def calibration_document(calibration: CalibrationChoice | None) -> dict[str, Any] | None:
    """The ``calibration`` member of the schema ``quantization``."""
    if calibration is None:
        return None
    return {
        "name": calibration.name,
        "sha256": calibration.content.sha256,
        "samples": len(calibration.content.items),
        "about": calibration.about,
    }


def division(sources: Sources, calibration: CalibrationChoice | None) -> str:
    """For which division the variant is a candidate, provided that it passes the gate."""
    if "embedded" in {sources.model.origin, sources.dataset.origin}:
        return "none: embedded model or data are not an MLPerf result"
    if not sources.model.origin == sources.dataset.origin == "official":
        return "open"
    if calibration is not None and not is_official(calibration):
        return "open: the calibration list is not a published one whose checksum is known"
    return "closed or open; the closed division wants its making described in calibration.md"


def qualify_command(request: Request, sources: Sources, precision: str, made: str | None) -> str:
    """The command that qualifies the variant in all scenarios; ``made`` is its file, if any."""
    model = made or request.model or request.model_name
    own_data = request.data or sources.dataset.origin != "embedded"
    options = {
        "-b": request.benchmark,
        "-k": request.backend,
        "--device": request.device if request.device != "cpu" else None,
        "--precision": precision,
        "--model": model,
        "--data": sources.dataset.path if own_data else None,
        "--vocab": sources.dataset.vocab if own_data else None,
        "--labels": request.labels,
        "--suite": "quick" if model and not own_data else None,
    }
    return " ".join(
        ["loadproof qualify", *(f"{key} {word}" for key, word in options.items() if word)]
    )
