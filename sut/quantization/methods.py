"""The ways to lower a model's precision, each as calls of ONNX Runtime's own tools on files.

Every function reads one file and writes another, and may leave others in a folder that it is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sut.quantization.calibrating import CalibrationReader
from sut.quantization.recipes import Recipe

PER_CHANNEL_OPSET = 13
"""The first in which DequantizeLinear has an axis: onnx/docs/Operators.md."""


def quantise_static(
    source: Path,
    folder: Path,
    made: Path,
    recipe: Recipe,
    reader: CalibrationReader | None,
    reduce_range: bool,
) -> None:
    """Ranges of activations follow from what ``reader`` gives; QDQ, U8S8, per channel."""
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


def quantise_dynamic(
    source: Path, folder: Path, made: Path, recipe: Recipe, reduce_range: bool
) -> None:
    """Ranges of activations are found at run time; weights signed, per channel."""
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


def convert_to_float16(source: Path, made: Path) -> None:
    """All but inputs and outputs."""
    import onnx
    from onnxruntime.transformers.float16 import convert_float_to_float16

    onnx.save(convert_float_to_float16(onnx.load(source), keep_io_types=True), made)
