"""What the user sees while something runs: one live line on a terminal, plain lines elsewhere.

Everything goes to standard error; standard output is for results.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn
from rich.progress import TaskID as Task

from harness.running.display import Display

PLAIN_EVERY_S = 5.0


@dataclass
class Rate:
    """Items per second and time left, from counts as they come."""

    began_s: float = field(default_factory=time.monotonic)

    def text(self, done: int, total: int, unit: str, now_s: float, least_s: float = 0.0) -> str:
        """``120 of 500 samples, 37.1/s, 10 s left``."""
        seconds = now_s - self.began_s
        rate = done / seconds if seconds > 0 else 0.0
        counted = f"{done:,} of {total:,} {unit}" if total else f"{done:,} {unit}"
        if not rate:
            return counted
        left_s = max(0, total - done) / rate if total else least_s - seconds
        left = f", {left_s:.0f} s left" if left_s > 0 else ""
        return f"{counted}, {rate:,.1f}/s{left}"


class LiveDisplay:
    """One line with a bar that is redrawn in place."""

    def __init__(self, console: Console) -> None:
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[text]}"),
            console=console,
            transient=True,
        )
        self._progress.start()
        self._title = ""
        self._task: Task | None = None
        self._rate = Rate()

    def step(self, title: str) -> None:
        self._title = title
        self._begin(title)

    def phase(self, name: str) -> None:
        self._begin(f"{self._title}: {name}")

    def _begin(self, text: str) -> None:
        if self._task is not None:
            self._progress.remove_task(self._task)
        self._task = self._progress.add_task(text, total=None, text="")
        self._rate = Rate()

    def count(self, done: int, total: int, unit: str, least_s: float = 0.0) -> None:
        if self._task is not None:
            text = self._rate.text(done, total, unit, time.monotonic(), least_s)
            self._progress.update(self._task, completed=done, total=total or None, text=text)

    def note(self, text: str) -> None:
        self._progress.console.print(text, highlight=False, markup=False)

    def close(self) -> None:
        self._progress.stop()


class PlainDisplay:
    """A line for each step, and one every few seconds within it."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._title = ""
        self._rate = Rate()
        self._said = 0.0

    def step(self, title: str) -> None:
        self._title, self._said = title, time.monotonic()
        self._rate = Rate()
        self.note(title)

    def phase(self, name: str) -> None:
        self._rate = Rate()

    def count(self, done: int, total: int, unit: str, least_s: float = 0.0) -> None:
        now = time.monotonic()
        if now - self._said >= PLAIN_EVERY_S:
            self._said = now
            self.note(f"{self._title}: {self._rate.text(done, total, unit, now, least_s)}")

    def note(self, text: str) -> None:
        self._console.print(text, highlight=False, markup=False, soft_wrap=True)

    def close(self) -> None:
        """Nothing is open."""


def display_for(console: Console) -> Display:
    """A live line where ``console`` is a terminal, else plain lines."""
    return LiveDisplay(console) if console.is_terminal else PlainDisplay(console)
