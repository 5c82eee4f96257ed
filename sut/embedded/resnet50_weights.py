"""The weights of the embedded ResNet-50: 25.6 million numbers from 300 KB, the same everywhere.

A kernel is bits of a counter-based generator, summed as integers and multiplied once by a shipped
scale for each output channel: every step is exact or rounded once as IEEE 754 says, so no machine,
compiler or library version can make another file. Scales, biases and the head were fitted once by
``sut.embedded.resnet50_fit``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sut.embedded.resnet50_graph import CLASSES, FEATURES, Layer, layers

Floats = NDArray[np.float32]

DIGITS = 10
FIRST_DIGIT = 1
"""The column of digit 0: column 0 is background, as in the official model."""
NEVER = np.float32(-16.0)
"""Logit of every class that is no digit. The head's ten logits always sum to 16 (ridge regression
keeps the sum of its targets), so the largest of them is at least 1.6."""
_KEY = 0x5E50
_LOW_HALVES = np.uint64(0x0000FFFF0000FFFF)
_LOW_WORD = np.uint64(0xFFFFFFFF)
_MEAN_OF_FOUR = 2 * 0xFFFF


@dataclass(frozen=True)
class Fitted:
    """What ships: ``scale`` and ``bias`` float32 [26560], output channels of all layers end to end
    in the order of :func:`layers`; ``head`` [2048,10] and ``head_bias`` [10], float32."""

    scale: Floats
    bias: Floats
    head: Floats
    head_bias: Floats

    @classmethod
    def shipped(cls) -> Fitted:
        """Read the fitted numbers that came with the project."""
        with np.load(Path(__file__).with_name("resnet50.npz"), allow_pickle=False) as data:
            return cls(**data)


@dataclass(frozen=True)
class Convolution:
    """``kernel`` float32 [outputs,inputs,size,size] and ``bias`` [outputs]."""

    kernel: Floats
    bias: Floats


@dataclass(frozen=True)
class Resnet50Weights:
    """Convolutions by layer name, in graph order; ``head`` float32 [2048,1001], ``head_bias``
    [1001]."""

    convolutions: Mapping[str, Convolution]
    head: Floats
    head_bias: Floats

    def sha256(self) -> str:
        """Over all numbers, little-endian, in graph order; kernel before bias, head last."""
        digest = hashlib.sha256()
        for array in self._arrays():
            digest.update(np.ascontiguousarray(array, "<f4").data)
        return digest.hexdigest()

    def _arrays(self) -> Iterator[Floats]:
        for convolution in self.convolutions.values():
            yield from (convolution.kernel, convolution.bias)
        yield from (self.head, self.head_bias)


def assemble(fitted: Fitted) -> Resnet50Weights:
    """The whole network's weights from the fitted numbers and the generator."""
    head = np.zeros((FEATURES, CLASSES), np.float32)
    head_bias = np.full(CLASSES, NEVER, np.float32)
    columns = slice(FIRST_DIGIT, FIRST_DIGIT + DIGITS)
    head[:, columns], head_bias[columns] = fitted.head, fitted.head_bias
    return Resnet50Weights(convolutions(fitted.scale, fitted.bias), head, head_bias)


def raw_kernel(layer: Layer) -> Floats:
    """Whole numbers [outputs,inputs,size,size], bell-shaped about 0, each exact in float32.

    Each is the sum of the four 16-bit parts of one raw word of Philox 4x64, whose stream NumPy
    promises to keep, less the sum's mean.
    """
    key = _KEY + [known.name for known in layers()].index(layer.name)
    shape = (layer.outputs, layer.inputs, layer.size, layer.size)
    raw = np.random.Philox(key=key).random_raw(int(np.prod(shape)))
    pairs = (raw & _LOW_HALVES) + ((raw >> np.uint64(16)) & _LOW_HALVES)
    sums = (pairs & _LOW_WORD) + (pairs >> np.uint64(32))
    return (sums.astype(np.int64) - _MEAN_OF_FOUR).astype(np.float32).reshape(shape)


def convolutions(scale: Floats, bias: Floats) -> dict[str, Convolution]:
    """All convolutions by layer name, from scales and biases as :class:`Fitted` holds them."""
    made = {}
    start = 0
    for layer in layers():
        channels = slice(start, start + layer.outputs)
        kernel = raw_kernel(layer) * scale[channels, np.newaxis, np.newaxis, np.newaxis]
        made[layer.name] = Convolution(kernel, bias[channels])
        start = channels.stop
    return made
