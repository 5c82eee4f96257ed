"""When the samples of a run completed: the only record of a rate inside a run.

LoadGen logs no times without its trace, which would slow the run itself. A fixed number of counts
is kept whatever the length of the run: when it outgrows them, neighbours are added together and the
interval doubles. One addition a batch; the caller sees to it that threads take turns.
"""

from __future__ import annotations

from typing import Any

MOST_INTERVALS = 600
START_MS = 10
_MS = 1_000_000


class CompletionRecord:
    """Counts samples by the time since the first batch completed, which is itself not counted:
    nobody knows how long the first batch had been under way."""

    def __init__(self) -> None:
        self._interval_ns = START_MS * _MS
        self._counts = [0] * MOST_INTERVALS
        self._origin_ns: int | None = None
        self._last = -1

    def add(self, samples: int, now_ns: int) -> None:
        """Count ``samples`` that completed at ``now_ns``, a clock that never goes back."""
        if self._origin_ns is None:
            self._origin_ns = now_ns
            return
        at = (now_ns - self._origin_ns) // self._interval_ns
        while at >= MOST_INTERVALS:
            self._double()
            at = (now_ns - self._origin_ns) // self._interval_ns
        self._counts[at] += samples
        self._last = max(self._last, at)

    def document(self, *, even: bool) -> dict[str, Any]:
        """The ``completions`` member of run.json; the last interval may be cut short.

        ``even`` says that every part of the run had the same work to do, so that the counts of two
        parts may be compared.
        """
        return {
            "interval_ms": self._interval_ns // _MS,
            "counts": self._counts[: self._last + 1],
            "even": even,
        }

    def _double(self) -> None:
        joined = [sum(pair) for pair in zip(self._counts[::2], self._counts[1::2], strict=True)]
        self._counts = joined + [0] * (MOST_INTERVALS - len(joined))
        self._interval_ns *= 2
        self._last //= 2
