"""Prepared samples as the datasets hand them out, small and with answers easy to foretell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sut.backend import Arrays

TOKENS = 384


def images(brightest: Sequence[int], layout: str) -> Arrays:
    """Images whose channel ``brightest[i]`` has the largest mean."""
    pixels = np.zeros((len(brightest), 3, 224, 224), np.float32)
    for row, channel in enumerate(brightest):
        pixels[row, channel] = 1
    if layout == "NHWC":
        pixels = np.ascontiguousarray(pixels.transpose(0, 2, 3, 1))
    return {"image": pixels}


def features(lengths: Sequence[int], dtype: str) -> Arrays:
    """Features of the given lengths: ids count up from 1, the second half is segment 1."""
    column = np.arange(TOKENS)
    length = np.asarray(lengths, np.int64)
    mask = (column < length[:, None]).astype(dtype)
    return {
        "input_ids": mask * (column + 1).astype(dtype),
        "input_mask": mask,
        "segment_ids": mask * (column >= length[:, None] // 2).astype(dtype),
        "length": length,
    }


def expected_logits(samples: Arrays, row: int) -> NDArray[np.float32]:
    """What the tiny BERT models answer to a sample: [length, 2]."""
    length = int(samples["length"][row])
    ids, mask, segment = (
        samples[name][row, :length].astype(np.float32)
        for name in ("input_ids", "input_mask", "segment_ids")
    )
    return np.stack([ids, ids + 0.5 * mask + 0.25 * segment], axis=1).astype(np.float32)
