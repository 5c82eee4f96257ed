"""The environment variables that every child process gets."""

from __future__ import annotations

import os


def child_environment() -> dict[str, str]:
    """This process's environment, with what makes runtimes quiet and their counting predictable.

    GPUs are counted in the order of their PCI addresses, as the driver's tools count them. ONNX
    Runtime's telemetry stays off: nothing about the machine under test leaves it.
    """
    return {
        "ORT_DISABLE_TELEMETRY": "1",
        "TF_CPP_MIN_LOG_LEVEL": "2",
        "CUDA_DEVICE_ORDER": "PCI_BUS_ID",
        **os.environ,
        "PYTHONUNBUFFERED": "1",
    }
