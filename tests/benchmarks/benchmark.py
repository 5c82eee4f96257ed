"""What a benchmark is: figures, each a series of pairs of ours and its reference, and a bar."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import NamedTuple


@dataclass(frozen=True)
class Place:
    """Where a benchmark finds and leaves things."""

    cache: Path
    scratch: Path
    """A folder of its own, removed afterwards."""

    @property
    def log(self) -> Path:
        """What child processes print."""
        return self.scratch / "children.log"


class Pair(NamedTuple):
    """One round's values of a figure, in its unit."""

    ours: float
    reference: float

    @property
    def ratio(self) -> float:
        return self.ours / self.reference

    @property
    def excess(self) -> float:
        return self.ours - self.reference


Round = Mapping[str, Pair]
"""Figure → its pair."""


@dataclass(frozen=True)
class Figure:
    """One thing that a benchmark compares, and what is predicted of it."""

    name: str
    unit: str
    least: float | None = None
    most: float | None = None
    excess: bool = False
    """Judged by ours − reference, in the unit, and not by ours / reference."""

    def of(self, pair: Pair) -> float:
        """What is judged of a pair."""
        return pair.excess if self.excess else pair.ratio

    def holds(self, value: float) -> bool | None:
        """Whether ``value`` is as predicted; None where nothing is."""
        if self.least is None and self.most is None:
            return None
        return (self.least is None or value >= self.least) and (
            self.most is None or value <= self.most
        )


@dataclass(frozen=True)
class Benchmark:
    """A comparison, and how its rounds are measured."""

    name: str
    ours: str
    reference: str
    figures: tuple[Figure, ...]
    rounds: Callable[[Place, int], Iterator[Round]]
    """(place, rounds) → the rounds, one after the other."""


@dataclass(frozen=True)
class Outcome:
    """A figure over all rounds."""

    benchmark: Benchmark
    figure: Figure
    pairs: tuple[Pair, ...]

    @property
    def values(self) -> tuple[float, ...]:
        """What is judged, round by round."""
        return tuple(self.figure.of(pair) for pair in self.pairs)

    @property
    def value(self) -> float:
        """Their median."""
        return median(self.values)

    @property
    def holds(self) -> bool | None:
        return self.figure.holds(self.value)


def outcomes(benchmark: Benchmark, rounds: Sequence[Round]) -> list[Outcome]:
    """The benchmark's figures over ``rounds``, at least one."""
    return [
        Outcome(benchmark, figure, tuple(measured[figure.name] for measured in rounds))
        for figure in benchmark.figures
    ]
