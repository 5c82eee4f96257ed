"""Turns what ONNX Runtime raises into sentences of ours.

Its exceptions share no base class, so they are collected from its module; which of ours one
becomes depends on what was being done.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from datasets.errors import BackendError, DeviceError, LoadproofError, ModelError
from sut.backends.onnxruntime.settings import CPU, Settings

_UNKNOWN_OPERATOR = re.compile(
    r"No Op registered for (?P<a>\S+)"
    r"|Fatal error: (?P<b>\S+?)\(-?\d+\) is not a registered function/op"
    r"|Could not find an implementation for (?P<c>\w+)"
)
_ABOUT_THE_MODEL = (
    "NoSuchFile",
    "NoModel",
    "InvalidProtobuf",
    "InvalidGraph",
    "InvalidArgument",
    "NotImplemented",
)
_LOADING = ("Load model from", "External data")
"""Words by which a failure of no telling class is about the model."""
_LONGEST = 300


@lru_cache(maxsize=1)
def runtime_errors() -> tuple[type[Exception], ...]:
    """Everything that a session raises: its own classes, and two of Python's."""
    from onnxruntime.capi import onnxruntime_pybind11_state as state

    own = [kind for kind in vars(state).values() if isinstance(kind, type)]
    return (*(kind for kind in own if issubclass(kind, Exception)), ValueError, RuntimeError)


def opening_failed(error: Exception, model: Path, settings: Settings) -> LoadproofError:
    """Why no session could be made: the model's fault, the device's, or the runtime's."""
    operator = _UNKNOWN_OPERATOR.search(str(error))
    if operator:
        return ModelError(
            f"{model} uses the operator {next(filter(None, operator.groups()))}, which this ONNX "
            "Runtime does not know; install a newer one or export the model with standard "
            "operators."
        )
    if type(error).__name__ in _ABOUT_THE_MODEL or any(w in str(error) for w in _LOADING):
        return ModelError(
            f"ONNX Runtime can't use {model} as a model ({brief(error)}); "
            "fetch or export it again, with all files that belong to it."
        )
    if settings.provider != CPU:
        return DeviceError(
            f"Asked for {settings.asked_for}, but it could not be started ({brief(error)}); "
            "check the device with `loadproof doctor`."
        )
    return BackendError(f"ONNX Runtime could not open {model}: {brief(error)}.")


def brief(error: Exception) -> str:
    """The error's own words on one line, without ONNX Runtime's prefix and full stop."""
    text = " ".join(str(error).split())
    text = re.sub(r"^\[ONNXRuntimeError\] : \d+ : \w+ : ", "", text)
    text = text.rstrip(". ")
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
