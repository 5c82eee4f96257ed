"""The configurations that no other beats in throughput and in latency at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    """Samples per second, where more is better, and a latency in ms, where less is."""

    samples_per_s: float
    latency_ms: float


def front(points: Sequence[Point]) -> list[int]:
    """Indices of the points that none dominates, by rising latency. Of equal ones, the first."""
    order = sorted(
        range(len(points)), key=lambda i: (points[i].latency_ms, -points[i].samples_per_s)
    )
    kept: list[int] = []
    for index in order:
        if not kept or points[index].samples_per_s > points[kept[-1]].samples_per_s:
            kept.append(index)
    return kept
