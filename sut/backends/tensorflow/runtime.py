"""Importing TensorFlow the one way that keeps it quiet and lets each session own its threads.

TensorFlow reads these variables once in a process, so they are set before its first import.
Without TF_OVERRIDE_GLOBAL_THREADPOOL every session shares the intra-op pool of the first one.
"""

from __future__ import annotations

import logging
import os
from typing import Any

from datasets.errors import BackendError

REMEDY = "install loadproof's extra tf"
_ENVIRONMENT = {
    "TF_CPP_MIN_LOG_LEVEL": "2",
    "TF_ENABLE_ONEDNN_OPTS": "1",
    "TF_OVERRIDE_GLOBAL_THREADPOOL": "1",
}


def load_runtime() -> Any:
    """The module ``tensorflow``. Raises BackendError where it can't be imported."""
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    try:
        import tensorflow
    except ImportError as error:
        raise BackendError(f"TensorFlow can't be imported ({error}); {REMEDY}.") from error
    tensorflow.get_logger().setLevel(logging.ERROR)
    return tensorflow


def brief(error: Exception) -> str:
    """The first line of the error's own words that says something, without its full stop."""
    lines = [line.strip() for line in str(error).splitlines()]
    says = [line for line in lines if line and not line.endswith(":")]
    return (says or [type(error).__name__])[0].rstrip(". ")[:300]
