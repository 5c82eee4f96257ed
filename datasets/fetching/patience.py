"""How long a place that fails is asked again.

Pauses double from one failure to the next. A try that got the file a good deal further starts the
count anew, so that a long file comes through a bad line; a place that only repeats itself, or sends
the same half each time, is given up.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

_WORTHWHILE_BYTES = 1 << 20


@dataclass(frozen=True)
class Patience:
    """What is waited for, in seconds. ``sleep`` does the waiting."""

    tries: int = 5
    first_pause_s: float = 1.0
    longest_pause_s: float = 60.0
    silence_s: float = 30.0
    """A line on which nothing comes for so long is taken as broken."""
    sleep: Callable[[float], None] = time.sleep


PATIENCE = Patience()


class Retries:
    """Counts the failures of one place."""

    def __init__(self, patience: Patience, arrived_bytes: int) -> None:
        self._patience = patience
        self._furthest_bytes = arrived_bytes
        self.failures = 0

    def failed(self, arrived_bytes: int) -> None:
        """Told after each failure, with how much of the file has arrived by then."""
        if arrived_bytes >= self._furthest_bytes + _WORTHWHILE_BYTES:
            self.failures = 0
        self.failures += 1
        self._furthest_bytes = max(self._furthest_bytes, arrived_bytes)

    @property
    def exhausted(self) -> bool:
        return self.failures >= self._patience.tries

    def pause(self, least_s: float) -> None:
        """Wait before the next try: ``least_s``, which the place asked for, or longer."""
        doubled_s = self._patience.first_pause_s * 2 ** (self.failures - 1)
        self._patience.sleep(min(max(doubled_s, least_s), self._patience.longest_pause_s))
