"""What is said of a variant: how it was made, for which division it is, what qualifies it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from shlex import quote
from typing import Any

from harness.request import Request
from harness.sources import Sources
from harness.variants.calibration import CalibrationChoice, is_official
from harness.variants.wanted import Wanted
from sut.quantization.gains import cpu_flags, expected_gain
from sut.quantization.recipes import Recipe

RUNTIME = "the runtime lowers the precision as it loads the model"
UNKNOWN = "nothing is known of what this device gains"


@dataclass(frozen=True)
class Variant:
    """What was made; nothing where the runtime lowers the precision itself."""

    recipe: Recipe | None
    calibration: CalibrationChoice | None
    made: str | None
    """The path of the file."""


def variant_document(
    request: Request,
    wanted: Wanted,
    sources: Sources,
    variant: Variant,
    checked: dict[str, Any] | None,
) -> dict[str, Any]:
    """The JSON form, schema ``quantization``; ``checked`` is what the comparison found."""
    gain = expected_gain(request.backend, wanted.precision, request.device, cpu_flags())
    return {
        "schema": "loadproof/quantization",
        "version": 1,
        "benchmark": request.benchmark,
        "backend": request.backend,
        "device": request.device,
        "precision": wanted.precision,
        "source": asdict(sources.model),
        "dataset": sources.dataset.name,
        "model": variant.made or sources.model.path,
        "made": variant.made is not None,
        "method": variant.recipe.method if variant.recipe else RUNTIME,
        "calibration": calibration_document(variant.calibration),
        "division": division(sources, variant.calibration),
        "expected": gain.sentence(request.benchmark) if gain else UNKNOWN,
        "check": checked,
        "qualify": qualify_command(request, sources, wanted.precision, variant.made),
    }


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
    given = [f"{key} {quote(str(word))}" for key, word in options.items() if word]
    return " ".join(["loadproof qualify", *given])
