"""What a sensor says, and the one thing it must be able to do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True)
class Reading:
    """One reading. What a machine can't tell is absent; names carry their units."""

    levels: Mapping[str, float] = field(default_factory=dict)
    """What holds now, or held on average since the reading before."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """What happened since the reading before."""

    def __or__(self, other: Reading) -> Reading:
        """Both together."""
        return Reading({**self.levels, **other.levels}, {**self.counts, **other.counts})


class Sensor(Protocol):
    """Something of the machine that can be read again and again."""

    def read(self) -> Reading:
        """The state now. Rates and counts need a reading before, and are absent from the first."""
        ...


@dataclass(frozen=True)
class Source:
    """A sensor that is yet to be opened, which may take seconds or fail."""

    kind: str
    """``cpu`` or ``gpu``."""
    device: int | None
    """The number of the GPU in the run's spec."""
    open: Callable[[], Sensor]

    @property
    def name(self) -> str:
        """In people's words: ``cpu``, ``gpu 0``."""
        return self.kind if self.device is None else f"{self.kind} {self.device}"
