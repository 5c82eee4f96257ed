"""Displays for tests."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Heard:
    """A display that remembers what it was told."""

    steps: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    counts: list[tuple[int, int, str]] = field(default_factory=list)

    def step(self, title: str) -> None:
        self.steps.append(title)

    def phase(self, name: str) -> None: ...

    def count(self, done: int, total: int, unit: str, least_s: float = 0.0) -> None:
        self.counts.append((done, total, unit))

    def note(self, text: str) -> None:
        self.notes.append(text)

    def close(self) -> None: ...
