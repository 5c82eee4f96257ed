"""Readings of one sensor over a run, kept as a summary so that a long run needs no more memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from harness.host.sensors.reading import Reading

_DIGITS = 3
"""Behind the point: no sensor is finer."""


@dataclass
class _Level:
    least: float
    most: float
    total: float = 0.0
    number: int = 0

    def add(self, value: float) -> None:
        self.least, self.most = min(self.least, value), max(self.most, value)
        self.total += value
        self.number += 1

    def document(self) -> dict[str, float]:
        mean = self.total / self.number
        figures = {"min": self.least, "mean": mean, "max": self.most}
        return {name: round(value, _DIGITS) for name, value in figures.items()}


class Series:
    """The summary of what was read so far."""

    def __init__(self) -> None:
        self.readings = 0
        self._levels: dict[str, _Level] = {}
        self._counts: dict[str, int] = {}

    def add(self, reading: Reading) -> None:
        """One more reading."""
        self.readings += 1
        for name, value in reading.levels.items():
            self._levels.setdefault(name, _Level(value, value)).add(value)
        for name, count in reading.counts.items():
            self._counts[name] = self._counts.get(name, 0) + count

    def document(self) -> dict[str, Any]:
        """``readings``, each level's ``min``, ``mean`` and ``max``, and each count's sum."""
        levels = {name: level.document() for name, level in self._levels.items()}
        return {"readings": self.readings, **levels, **self._counts}
