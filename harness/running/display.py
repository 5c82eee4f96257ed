"""Where progress is shown: what a run says of itself as it goes on, whoever shows it.

The displays themselves are in :mod:`harness.report.live`.
"""

from __future__ import annotations

from typing import Protocol

from harness.running.progress import Phase, Snapshot

_PHASES = {
    Phase.STARTING: "starting",
    Phase.OPENING: "opening the model",
    Phase.WARMING: "warming up",
    Phase.RUNNING: "running",
    Phase.FINISHING: "writing logs",
}


class Display(Protocol):
    """Where progress is shown."""

    def step(self, title: str) -> None:
        """Something new has begun; what went before is done."""

    def phase(self, name: str) -> None:
        """The step has come to another phase: what :meth:`count` counts begins now."""

    def count(self, done: int, total: int, unit: str, least_s: float = 0.0) -> None:
        """How far the current step is. Where ``total`` is 0 because time decides, ``least_s`` is
        how long the step lasts at least."""

    def note(self, text: str) -> None:
        """A line that stays."""

    def close(self) -> None: ...


class RunWatcher:
    """Shows the snapshots of one run after another."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._least_s = 0.0
        self._phase: Phase | None = None

    def begin(self, title: str, least_s: float = 0.0) -> None:
        """The next snapshots are of the run called ``title``, which lasts at least ``least_s``."""
        self._least_s, self._phase = least_s, None
        self._display.step(title)

    def note(self, text: str) -> None:
        """A line that stays."""
        self._display.note(text)

    def __call__(self, seen: Snapshot) -> None:
        if seen.phase is not self._phase:
            self._phase = seen.phase
            self._display.phase(_PHASES[seen.phase])
        if seen.phase is Phase.RUNNING:
            self._display.count(seen.completed, seen.total, "samples", self._least_s)
