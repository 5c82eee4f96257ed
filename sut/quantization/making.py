"""From a model and a recipe to a file of lower precision, by ONNX Runtime's own tools.

They work on files, so everything in between lies in a folder that is gone afterwards; the made file
appears whole or not at all. Imports ONNX and ONNX Runtime when called: call it in a child process,
whose output these tools may write to.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from datasets.errors import BackendError, ModelError
from datasets.files import atomic_write
from sut.backends.onnxruntime.quantised import precision_of
from sut.quantization.calibrating import CalibrationReader
from sut.quantization.provenance import Provenance
from sut.quantization.recipes import Recipe

PER_CHANNEL_OPSET = 13
"""The first in which DequantizeLinear has an axis: onnx/docs/Operators.md."""


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
    makers: Mapping[str, Callable[[Path, Path], None]] = {
        "static": lambda folder, made: _static(source, folder, made, recipe, reader, reduce_range),
        "dynamic": lambda folder, made: _dynamic(source, folder, made, recipe, reduce_range),
        "float16": lambda _, made: _float16(source, made),
    }
    with tempfile.TemporaryDirectory(prefix="loadproof-quantize-") as name:
        made = Path(name) / "made.onnx"
        try:
            makers[recipe.kind](Path(name), made)
        except Exception as error:  # the tools raise whatever they like
            raise ModelError(
                f"ONNX Runtime's tools can't make {source} {provenance.precision} "
                f"({type(error).__name__}: {_brief(error)}); export it again with opset "
                f"{PER_CHANNEL_OPSET} or newer."
            ) from error
        if precision_of(made) != provenance.precision:
            raise ModelError(
                f"{source} has nothing that could be made {provenance.precision}: no "
                f"{', '.join(recipe.operators) or 'weight'} with constant weights."
            )
        _stamp(made, target, provenance)


def _require_tools() -> None:
    try:
        import onnx  # noqa: F401
        import onnxruntime.quantization  # noqa: F401
    except ImportError as error:
        raise BackendError(
            f"Making models needs ONNX Runtime and ONNX ({error}); install loadproof's extra cpu."
        ) from error


def _static(
    source: Path,
    folder: Path,
    made: Path,
    recipe: Recipe,
    reader: CalibrationReader | None,
    reduce_range: bool,
) -> None:
    from onnxruntime import quantization as tools
    from onnxruntime.quantization.shape_inference import quant_pre_process

    upgraded, cleaned = folder / "upgraded.onnx", folder / "cleaned.onnx"
    _upgrade(source, upgraded)
    quant_pre_process(upgraded, cleaned, skip_symbolic_shape=True)
    tools.quantize_static(
        cleaned,
        made,
        reader,
        quant_format=tools.QuantFormat.QDQ,
        op_types_to_quantize=list(recipe.operators),
        per_channel=True,
        reduce_range=reduce_range,
        activation_type=tools.QuantType.QUInt8,
        weight_type=tools.QuantType.QInt8,
        calibrate_method=tools.CalibrationMethod[recipe.calibrator],
        extra_options={"CalibStridedMinMax": 1},
    )


def _upgrade(source: Path, target: Path) -> None:
    """Write the model with an opset that has what per-channel quantisation needs."""
    import onnx
    from onnx import version_converter

    model = onnx.load(source)
    versions = {entry.domain: entry.version for entry in model.opset_import}
    if versions.get("", PER_CHANNEL_OPSET) < PER_CHANNEL_OPSET:
        model = version_converter.convert_version(model, PER_CHANNEL_OPSET)
    onnx.save(model, target)


def _dynamic(source: Path, folder: Path, made: Path, recipe: Recipe, reduce_range: bool) -> None:
    import onnx
    from onnxruntime import quantization as tools

    fused = folder / "fused.onnx"
    _fuse(source, fused)
    tools.quantize_dynamic(
        fused,
        made,
        op_types_to_quantize=list(recipe.operators),
        nodes_to_exclude=_consumers(fused, recipe.float_behind),
        per_channel=True,
        reduce_range=reduce_range,
        weight_type=tools.QuantType.QInt8,
        extra_options={"MatMulConstBOnly": True, "DefaultTensorType": onnx.TensorProto.FLOAT},
    )


def _fuse(source: Path, target: Path) -> None:
    """Write the model with the fusions that hold on any machine: attention, GELU, norms."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(target)
    onnxruntime.InferenceSession(str(source), options, providers=["CPUExecutionProvider"])


def _consumers(model: Path, kinds: Sequence[str]) -> list[str]:
    """Names of the nodes that take a result of an operator of these kinds."""
    import onnx

    nodes = onnx.load(model, load_external_data=False).graph.node
    results = {name for node in nodes if node.op_type in kinds for name in node.output}
    return [node.name for node in nodes if results.intersection(node.input)]


def _float16(source: Path, made: Path) -> None:
    import onnx
    from onnxruntime.transformers.float16 import convert_float_to_float16

    onnx.save(convert_float_to_float16(onnx.load(source), keep_io_types=True), made)


def _stamp(made: Path, target: Path, provenance: Provenance) -> None:
    """Write ``made`` to ``target`` with its metadata, in one order whatever the tools left."""
    import onnx

    model: Any = onnx.load(made)
    del model.metadata_props[:]
    onnx.helper.set_model_props(model, provenance.metadata())
    model.producer_name, model.producer_version = "loadproof", ""
    with atomic_write(target) as file:
        file.write(model.SerializeToString(deterministic=True))


def _brief(error: Exception) -> str:
    return " ".join(str(error).split())[:300].rstrip(". ")
