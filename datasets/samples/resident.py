"""Samples in memory: in blocks, each of which came with one load.

A block is never written again, so arrays handed out stay right whatever is loaded or unloaded
later, and loading more never copies what is there. A block goes when its last sample does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.errors import DataError
from datasets.samples.room import Room

_ABSENT = -1


@dataclass(frozen=True)
class Block:
    """Samples that were loaded together, in the slots from ``first`` on."""

    first: int
    arrays: Mapping[str, NDArray[Any]]
    """By name, [samples, …]."""
    size: int

    def within(self, slots: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of ``slots`` lie in this block."""
        return (slots >= self.first) & (slots < self.first + self.size)

    def rows(self, slots: NDArray[np.int64], room: Room) -> dict[str, NDArray[Any]]:
        """The samples in ``slots``, all of this block; views where they follow one another."""
        first, last = int(slots[0]) - self.first, int(slots[-1]) - self.first
        if slots.size == 1 or (last - first + 1 == slots.size and (np.diff(slots) == 1).all()):
            return {name: array[first : last + 1] for name, array in self.arrays.items()}
        rows = slots - self.first
        return {
            name: array.take(rows, axis=0, out=room(name, rows.size, array), mode="clip")
            for name, array in self.arrays.items()
        }


@dataclass(frozen=True)
class Resident:
    """Where each sample lies. Immutable, so that one thread may replace what others read."""

    slots: NDArray[np.int64]
    """By sample; −1 where it isn't loaded."""
    blocks: tuple[Block, ...] = ()

    def has(self, indices: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of the samples ``indices`` are loaded."""
        return self.slots[indices] > _ABSENT

    def with_block(
        self, indices: NDArray[np.int64], arrays: Mapping[str, NDArray[Any]]
    ) -> Resident:
        """This and the samples ``indices``, which aren't loaded yet, in ``arrays``."""
        last = self.blocks[-1] if self.blocks else Block(0, {}, 0)
        block = Block(last.first + last.size, arrays, indices.size)
        slots = self.slots.copy()
        slots[indices] = np.arange(block.first, block.first + block.size)
        return Resident(slots, (*self.blocks, block))

    def without(self, indices: NDArray[np.int64]) -> Resident:
        """This less the samples ``indices``, and less the blocks that are empty then."""
        slots = self.slots.copy()
        slots[indices] = _ABSENT
        kept = tuple(block for block in self.blocks if block.within(slots).any())
        return replace(self, slots=slots, blocks=kept)

    def take(self, indices: NDArray[np.int64], room: Room) -> dict[str, NDArray[Any]]:
        """The samples ``indices`` [B], at least one, as arrays [B, …]; DataError where one of them
        isn't loaded.

        Views where they lie in one block and follow one another, else copies in ``room``.
        """
        if len(indices) == 1 and (one := self._one(self.slots.item(indices[0]))):
            return one
        slots = self.slots[indices]
        lowest, highest = slots.min(), slots.max()
        if lowest <= _ABSENT:
            missing = int(np.asarray(indices)[slots <= _ABSENT][0])
            raise DataError(f"Sample {missing} was asked for, but it isn't loaded.")
        for block in self.blocks:
            if block.first <= lowest and highest < block.first + block.size:
                return block.rows(slots, room)
        return self._collected(slots, room)

    def _one(self, slot: int) -> dict[str, NDArray[Any]] | None:
        """The sample in ``slot`` as views, without any arithmetic on arrays; None for none."""
        for block in self.blocks:
            row = slot - block.first
            if 0 <= row < block.size:
                return {name: array[row : row + 1] for name, array in block.arrays.items()}
        return None

    def _collected(self, slots: NDArray[np.int64], room: Room) -> dict[str, NDArray[Any]]:
        """The rows ``slots`` of several blocks, copied together."""
        first = self.blocks[0].arrays
        taken = {name: room(name, slots.size, array) for name, array in first.items()}
        for block in self.blocks:
            here = block.within(slots)
            for name, array in block.arrays.items():
                taken[name][here] = array[slots[here] - block.first]
        return taken


def nothing_of(count: int) -> Resident:
    """None of ``count`` samples."""
    return Resident(np.full(count, _ABSENT, np.int64))
