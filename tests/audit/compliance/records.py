"""Logged answers, for tests."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable

import numpy as np

from audit.logs.accuracy_log import AccuracyRecord


def records(answers: Iterable[tuple[int, bytes]]) -> tuple[AccuracyRecord, ...]:
    """A log of (sample index, bytes)."""
    return tuple(
        AccuracyRecord(number, index, data, number + 2)
        for number, (index, data) in enumerate(answers)
    )


def floats(*values: float) -> bytes:
    """Little-endian float32, as a log holds them."""
    return struct.pack(f"<{len(values)}f", *values)


def one_unit_more(value: float) -> float:
    """The next float32."""
    return float(np.nextafter(np.float32(value), np.float32(math.inf)))
