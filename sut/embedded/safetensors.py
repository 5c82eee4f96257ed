"""Reading safetensors files: an 8-byte header length, a JSON header, then the raw arrays.

The format is small and fixed (https://github.com/huggingface/safetensors#format), so a dependency
would cost more than it saves. Arrays are views of the mapped file, never copies.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.errors import ModelError

_DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "U8": "|u1"}
_LENGTH_BYTES = 8


def read_tensors(path: Path) -> dict[str, NDArray[Any]]:
    """All arrays of the file, by name, read-only. Raises ModelError where it is no such file."""
    try:
        raw = np.memmap(path, dtype=np.uint8, mode="r")
        start = _LENGTH_BYTES + int.from_bytes(raw[:_LENGTH_BYTES].tobytes(), "little")
        header = json.loads(raw[_LENGTH_BYTES:start].tobytes())
        header.pop("__metadata__", None)
        return {name: _array(raw[start:], **entry) for name, entry in header.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(
            f"{path} can't be read as a safetensors file ({error}); fetch it again."
        ) from error


def _array(
    data: NDArray[np.uint8], dtype: str, shape: list[int], data_offsets: list[int]
) -> NDArray[Any]:
    begin, end = data_offsets
    return np.asarray(data[begin:end]).view(_DTYPES[dtype]).reshape(shape)
