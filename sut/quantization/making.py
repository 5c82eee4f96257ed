"""From a model and a recipe to a file of lower precision that says what it was made from.

The tools work on files, so everything in between lies in a folder that is gone afterwards; the made
file appears whole or not at all. Imports ONNX and ONNX Runtime when called: call it in a child
process, whose output these tools may write to.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from datasets.disk.named_file import named_write
from datasets.errors import BackendError, ModelError
from sut.backends.onnxruntime.failures import brief, runtime_errors
from sut.backends.onnxruntime.quantised import precision_of
from sut.quantization.calibrating import CalibrationReader
from sut.quantization.methods import (
    PER_CHANNEL_OPSET,
    convert_to_float16,
    quantise_dynamic,
    quantise_static,
)
from sut.quantization.provenance import Provenance
from sut.quantization.recipes import Recipe


def make_model(
    source: Path,
    target: Path,
    recipe: Recipe,
    provenance: Provenance,
    *,
    reader: CalibrationReader | None = None,
    reduce_range: bool = False,
) -> None:
    """Write ``target``. ``reader`` gives a static recipe its samples; ``reduce_range`` keeps
    weights to 7 bits, for CPUs whose 8-bit products saturate.

    Raises ModelError where the model can't be brought to the precision, BackendError where the
    tools are missing.
    """
    _require_tools()
    with tempfile.TemporaryDirectory(prefix="loadproof-quantize-") as name:
        made = Path(name) / "made.onnx"
        try:
            _make(source, made, recipe, reader, reduce_range)
            content = _stamped(made, provenance)
        except _tool_errors() as error:
            raise ModelError(
                f"ONNX Runtime's tools can't make {source} {provenance.precision} "
                f"({type(error).__name__}: {brief(error)}); export it again with opset "
                f"{PER_CHANNEL_OPSET} or newer."
            ) from error
        if precision_of(made) != provenance.precision:
            raise ModelError(
                f"{source} has nothing that could be made {provenance.precision}: no "
                f"{', '.join(recipe.operators) or 'weight'} with constant weights."
            )
    with named_write(target) as file:
        file.write(content)


def _require_tools() -> None:
    try:
        import onnx  # noqa: F401
        import onnxruntime.quantization  # noqa: F401
    except ImportError as error:
        raise BackendError(
            f"Making models needs ONNX Runtime and ONNX ({error}); install loadproof's extra cpu."
        ) from error


def _make(
    source: Path, made: Path, recipe: Recipe, reader: CalibrationReader | None, reduce_range: bool
) -> None:
    if recipe.kind == "static":
        quantise_static(source, made.parent, made, recipe, reader, reduce_range)
    elif recipe.kind == "dynamic":
        quantise_dynamic(source, made.parent, made, recipe, reduce_range)
    else:
        convert_to_float16(source, made)


def _stamped(made: Path, provenance: Provenance) -> bytes:
    """The made model with its metadata, in one order whatever the tools left."""
    import onnx

    model: Any = onnx.load(made)
    del model.metadata_props[:]
    onnx.helper.set_model_props(model, provenance.metadata())
    model.producer_name, model.producer_version = "loadproof", ""
    content: bytes = model.SerializeToString(deterministic=True)
    return content


def _tool_errors() -> tuple[type[Exception], ...]:
    """What the tools raise of models that they do not expect: their own, and Python's."""
    from google.protobuf.message import Error  # type: ignore[import-untyped]
    from onnx import checker, shape_inference, version_converter

    own = (checker.ValidationError, shape_inference.InferenceError, version_converter.ConvertError)
    python = (LookupError, TypeError, AttributeError, AssertionError)
    return (*runtime_errors(), Error, *own, *python)
