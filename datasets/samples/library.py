"""The samples that a run holds in memory, and batches of them.

Only loaded samples are in memory, once, also while more are being loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datasets.errors import DataError
from datasets.samples.prepared import Prepared
from datasets.samples.resident import nothing_of
from datasets.samples.room import ReusedRoom, new_room
from datasets.samples.row_reader import read_rows

LENGTH = "length"

Gather = Callable[[NDArray[np.int64]], dict[str, NDArray[Any]]]
"""Sample indices [B] → the samples' arrays, [B, …]."""


class SampleLibrary:
    """Loads, unloads and gathers prepared samples by index, as LoadGen asks for them.

    Loading does what is left to do to a sample, so that gathering, which is measured, never
    computes. One thread loads and unloads; any number may gather meanwhile.
    """

    def __init__(self, prepared: Prepared) -> None:
        self._prepared = prepared
        lengths = prepared.arrays.get(LENGTH)
        self._lengths = None if lengths is None else np.array(lengths, np.int64)
        self._resident = nothing_of(prepared.count)

    @property
    def count(self) -> int:
        """Samples in the dataset."""
        return self._prepared.count

    @property
    def resident(self) -> int:
        """Samples in memory."""
        return int(self._resident.has(np.arange(self.count)).sum())

    def load(self, indices: Iterable[int]) -> None:
        """Bring samples into memory. Repeated and already loaded ones are no fault."""
        wanted = self._known(indices)
        new = wanted[~self._resident.has(wanted)]
        if new.size:
            arrays = {name: read_rows(self._prepared, name, new) for name in self._prepared.arrays}
            self._resident = self._resident.with_block(new, arrays)

    def unload(self, indices: Iterable[int]) -> None:
        """Forget samples. Repeated ones, and ones that aren't loaded, are no fault.

        Memory is given back when the last sample that came with one load is unloaded.
        """
        self._resident = self._resident.without(self._known(indices))

    def gather(self, indices: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """The samples ``indices`` [B], at least one, of every array, [B, …]; read-only where no
        copy was needed.

        One sample, and neighbours in memory, are views. DataError where a sample isn't loaded.
        """
        return self._resident.take(indices, new_room)

    def gatherer(self) -> Gather:
        """:meth:`gather` for one thread: what it copies stays as it is until its next call."""
        room = ReusedRoom()
        return lambda indices: self._resident.take(indices, room)

    def lengths(self, indices: NDArray[np.int64]) -> NDArray[np.int64] | None:
        """Tokens of the samples ``indices`` [B], loaded or not; None where samples have none."""
        return None if self._lengths is None else self._lengths[indices]

    def _known(self, indices: Iterable[int]) -> NDArray[np.int64]:
        """``indices`` without repeats, sorted, so that files are read from front to back."""
        wanted = np.unique(np.fromiter(indices, np.int64))
        if wanted.size and not 0 <= wanted[0] <= wanted[-1] < self.count:
            raise DataError(f"Samples are 0 to {self.count - 1}, asked for were {wanted}.")
        return wanted
