"""A query kept whole, cut into batches without touching its samples one by one."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter_ns
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sut.streams.contract import Batch, Lengths


class Query(NamedTuple):
    """Samples issued together: ids [N] (LoadGen's are addresses), indices int64 [N]."""

    ids: list[int]
    indices: NDArray[np.int64]
    issued_ns: int

    @classmethod
    def now(cls, ids: list[int], indices: list[int]) -> Query:
        """A query issued now; only the indices are copied."""
        return cls(ids, np.array(indices, dtype=np.int64), perf_counter_ns())

    def longest_first(self, lengths: Lengths) -> Query:
        """The same samples by falling length, so that neighbours pad each other little and the
        last batches, which decide when several streams end, are the short ones."""
        order = np.argsort(-lengths(self.indices), kind="stable")
        ids = np.array(self.ids, dtype=np.uint64)[order].tolist()
        return self._replace(ids=ids, indices=self.indices[order])

    def batches(self, max_batch: int) -> Iterator[Batch]:
        """The samples in order, in batches of ``max_batch``; the last may be smaller."""
        if 0 < len(self.ids) <= max_batch:
            yield Batch(self.ids, self.indices, ((self.issued_ns, len(self.ids)),))
            return
        for start in range(0, len(self.ids), max_batch):
            ids = self.ids[start : start + max_batch]
            indices = self.indices[start : start + max_batch]
            yield Batch(ids, indices, ((self.issued_ns, len(ids)),))
