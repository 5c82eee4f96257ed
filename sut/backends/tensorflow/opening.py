"""Builds a session and proves, where it matters, that it does what was asked.

A trial batch of zeros is traced: TensorFlow names the device of every node that ran and the casts
that the bfloat16 rewrite put in. What the trace does not show did not happen.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.errors import BackendError, DeviceError, ModelError
from sut.backend import OpenRequest
from sut.backends.tensorflow.graphs import Endpoints, loader
from sut.backends.tensorflow.runtime import brief
from sut.backends.tensorflow.session import Session

_CPU = "CPU:0"
"""However many sessions share the processor, it is one device to TensorFlow."""
_REWRITE_ON = 1
_FREE_SIZE = 64
"""What a free dimension is on trial, but for the batch."""


@dataclass(frozen=True)
class Trace:
    """What one traced batch showed."""

    devices: frozenset[str]
    """Devices that ran a node: ``CPU:0``."""
    casts_to_bfloat16: int


def open_session(tensorflow: Any, request: OpenRequest) -> Session:
    """Raises DeviceError, ModelError or BackendError where the request can't be met as it is."""
    device = f"GPU:{request.index}" if request.device == "gpu" else _CPU
    _check_present(tensorflow, request)
    load = loader(tensorflow, request.model, request.options.get("signature", "serving_default"))
    graph = tensorflow.Graph()
    session = tensorflow.compat.v1.Session(graph=graph, config=_config(tensorflow, request))
    with ExitStack() as undo:
        undo.callback(session.close)
        with graph.as_default(), graph.device(_placement(request)):
            endpoints = load(graph, session)
        if request.device == "gpu" or request.precision == "bf16":
            trace = _trial(tensorflow, session, endpoints, request.model)
            _check_trace(trace, device, request)
        undo.pop_all()
    return Session(session, endpoints, device, (tensorflow.errors.OpError, ValueError, KeyError))


def _check_present(tensorflow: Any, request: OpenRequest) -> None:
    if request.device != "gpu":
        return
    found = len(tensorflow.config.list_physical_devices("GPU"))
    if request.index >= found:
        build = "" if tensorflow.test.is_built_with_cuda() else " (its build has no CUDA)"
        raise DeviceError(
            f"Asked for gpu {request.index}, the session would use CPU: TensorFlow sees {found} "
            f"GPUs{build}; install a TensorFlow with CUDA and check the driver."
        )


def _placement(request: OpenRequest) -> str | None:
    return f"/device:GPU:{request.index}" if request.device == "gpu" else None


def _config(tensorflow: Any, request: OpenRequest) -> Any:
    config = tensorflow.compat.v1.ConfigProto(
        intra_op_parallelism_threads=request.threads,
        inter_op_parallelism_threads=1,
        use_per_session_threads=True,
        allow_soft_placement=True,
    )
    config.gpu_options.allow_growth = True
    if request.device == "cpu":
        config.device_count["GPU"] = 0
    if request.precision == "bf16":
        rewrites = config.graph_options.rewrite_options
        rewrites.auto_mixed_precision_onednn_bfloat16 = _REWRITE_ON
    return config


def _trial(tensorflow: Any, session: Any, endpoints: Endpoints, model: Path | None) -> Trace:
    v1 = tensorflow.compat.v1
    feeds = {tensor: _zeros(tensor) for tensor in endpoints.inputs.values()}
    seen = v1.RunMetadata()
    options = v1.RunOptions(trace_level=v1.RunOptions.SOFTWARE_TRACE)
    try:
        session.run(list(endpoints.outputs.values()), feeds, options=options, run_metadata=seen)
    except (tensorflow.errors.OpError, ValueError) as error:
        raise ModelError(
            f"TensorFlow can't run a trial batch of zeros through {model} ({brief(error)}); "
            "without it the device and the precision can't be checked."
        ) from error
    groups = seen.step_stats.dev_stats
    nodes = [node.node_name for group in groups for node in group.node_stats]
    return Trace(
        devices=frozenset(group.device.rpartition("device:")[2] for group in groups),
        casts_to_bfloat16=sum("CastToBf16" in name for name in nodes),
    )


def _zeros(tensor: Any) -> NDArray[Any]:
    sizes = tensor.shape.as_list() if tensor.shape.rank else []
    shape = [size or (_FREE_SIZE if axis else 1) for axis, size in enumerate(sizes)]
    return np.zeros(shape, tensor.dtype.as_numpy_dtype)


def _check_trace(trace: Trace, device: str, request: OpenRequest) -> None:
    if device not in trace.devices:
        raise DeviceError(
            f"Asked for {device}, the session would use {', '.join(sorted(trace.devices))}; "
            "check that TensorFlow's CUDA build has kernels for this model and GPU."
        )
    if request.precision == "bf16" and not trace.casts_to_bfloat16:
        raise BackendError(
            "Asked for bf16, but oneDNN's rewrite left the whole model in float32 (it needs a "
            "CPU with AVX-512, and convolutions or matrix products); ask for --precision fp32."
        )
