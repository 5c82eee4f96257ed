"""How long a batch takes, by its size: measured once, asked often."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from statistics import median

GAIN_WORTH = 1.02
"""A larger batch is preferred only where throughput grows by more than this."""


@dataclass(frozen=True)
class LatencyCurve:
    """Median seconds of a batch on one stream, by batch size; sizes rise."""

    sizes: tuple[int, ...]
    seconds: tuple[float, ...]

    def batch_s(self, size: int) -> float:
        """Seconds of a batch of ``size``: measured, or on the line between measured neighbours;
        beyond the largest, in proportion to it."""
        if size >= self.sizes[-1]:
            return self.seconds[-1] * size / self.sizes[-1]
        right = bisect_left(self.sizes, size)
        if self.sizes[right] == size or right == 0:
            return self.seconds[right]
        low, high = self.sizes[right - 1], self.sizes[right]
        share = (size - low) / (high - low)
        return self.seconds[right - 1] * (1 - share) + self.seconds[right] * share

    def throughput(self, size: int) -> float:
        """Samples per second of one stream that always runs batches of ``size``."""
        return size / self.batch_s(size)

    @property
    def best_size(self) -> int:
        """The smallest measured batch that no other beats by more than a little."""
        best = max(self.throughput(size) for size in self.sizes)
        return next(size for size in self.sizes if self.throughput(size) * GAIN_WORTH >= best)


def curve_from(points: Mapping[int, float]) -> LatencyCurve:
    """The curve through ``points``, batch size → seconds."""
    sizes = tuple(sorted(points))
    return LatencyCurve(sizes, tuple(points[size] for size in sizes))


def measure(
    time_batch: Callable[[int], float],
    sizes: Iterable[int],
    per_size_s: float = 1.0,
    fewest: int = 3,
    longest_batch_s: float = 3.0,
) -> LatencyCurve:
    """Time batches of rising ``sizes`` until larger ones stop paying.

    ``time_batch`` runs one batch and returns its seconds. Stops after a size whose throughput is no
    better than that of the one two before, or whose batch takes longer than ``longest_batch_s``.
    """
    points: dict[int, float] = {}
    rates: list[float] = []
    for size in sizes:
        time_batch(size)
        taken: list[float] = []
        while len(taken) < fewest or (sum(taken) < per_size_s and len(taken) < 50):
            taken.append(time_batch(size))
        points[size] = median(taken)
        rates.append(size / points[size])
        flat = len(rates) > 2 and rates[-1] < rates[-3] * GAIN_WORTH
        if flat or points[size] > longest_batch_s:
            break
    return curve_from(points)
