"""The shape of ResNet-50 v1.5, written once for all who compute or write it.

v1.5 puts a block's stride in its 3 x 3 convolution. Batch normalisation is folded into each
convolution's kernel and bias, as runtimes do with the official file; padding is the official
model's: ``kernel // 2`` on both sides for convolutions, at the end alone for the pooling.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, TypeVar

FEATURES = 2048
CLASSES = 1001
_STAGES = ((3, 64, 1), (4, 128, 2), (6, 256, 2), (3, 512, 2))
"""(blocks, width, stride of the first block) of each stage."""
_EXPANSION = 4


@dataclass(frozen=True)
class Layer:
    """One convolution with its bias."""

    name: str
    inputs: int
    outputs: int
    size: int
    """Height and width of the kernel."""
    stride: int

    @property
    def padding(self) -> int:
        """Rows or columns of zeros on each side of the image."""
        return self.size // 2


@dataclass(frozen=True)
class Block:
    """A bottleneck: three convolutions beside a shortcut, which may have one of its own."""

    name: str
    reduce: Layer
    middle: Layer
    expand: Layer
    project: Layer | None


Value = TypeVar("Value")


class Operations(Protocol[Value]):
    """What the network is made of: a writer adds nodes to a file, a calculator computes."""

    def convolve(self, layer: Layer, value: Value) -> Value: ...

    def rectify(self, value: Value, name: str) -> Value:
        """The larger of the value and 0."""

    def add(self, left: Value, right: Value, name: str) -> Value: ...

    def max_pool(self, value: Value) -> Value:
        """3 x 3 windows, stride 2, with one row and one column of padding at the end."""

    def average(self, value: Value) -> Value:
        """The mean over height and width: [N, channels]."""


STEM = Layer("stem", 3, 64, 7, 2)


def _bottlenecks() -> Iterator[Block]:
    inputs = STEM.outputs
    for stage, (count, width, first_stride) in enumerate(_STAGES, 1):
        for number in range(1, count + 1):
            stride = first_stride if number == 1 else 1
            yield _block(f"stage{stage}/block{number}", inputs, width, stride, number == 1)
            inputs = width * _EXPANSION


def _block(name: str, inputs: int, width: int, stride: int, project: bool) -> Block:
    outputs = width * _EXPANSION
    return Block(
        name,
        Layer(f"{name}/reduce", inputs, width, 1, 1),
        Layer(f"{name}/middle", width, width, 3, stride),
        Layer(f"{name}/expand", width, outputs, 1, 1),
        Layer(f"{name}/project", inputs, outputs, 1, stride) if project else None,
    )


BLOCKS = tuple(_bottlenecks())


def layers() -> Iterator[Layer]:
    """All 53 convolutions, in the order in which :func:`features` asks for them."""
    yield STEM
    for block in BLOCKS:
        if block.project:
            yield block.project
        yield from (block.reduce, block.middle, block.expand)


def features(operations: Operations[Value], image: Value) -> Value:
    """The 2,048 features of each image, [N,2048], from images of 224 x 224."""
    value = operations.rectify(operations.convolve(STEM, image), f"{STEM.name}/relu")
    value = operations.max_pool(value)
    for block in BLOCKS:
        value = _bottleneck(operations, block, value)
    return operations.average(value)


def _bottleneck(operations: Operations[Value], block: Block, value: Value) -> Value:
    shortcut = operations.convolve(block.project, value) if block.project else value
    for layer in (block.reduce, block.middle):
        value = operations.rectify(operations.convolve(layer, value), f"{layer.name}/relu")
    residual = operations.convolve(block.expand, value)
    return operations.rectify(
        operations.add(residual, shortcut, f"{block.name}/add"), f"{block.name}/relu"
    )
