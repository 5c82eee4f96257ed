"""How many threads may run, the same for every backend.

The runtimes start a thread for every core of the host, whatever a container leaves of them, and
throttle each other; so the budget is counted here and handed to them.
"""

from __future__ import annotations

from dataclasses import dataclass

from datasets.errors import UsageError

MOST_THREADS_A_CORE = 16
"""More is a slip of the hand: it exhausts the machine instead of measuring it."""


@dataclass(frozen=True)
class ThreadBudget:
    """What a run uses: each of ``streams`` sessions has ``threads`` intra-op threads."""

    streams: int
    threads: int
    cores: int
    """Usable ones."""

    @property
    def oversubscribed(self) -> bool:
        """Whether more threads than usable cores were asked for."""
        return self.streams * self.threads > self.cores

    def __str__(self) -> str:
        used = f"{self.streams} × {self.threads} threads on {self.cores} usable cores"
        return f"{used}, more than there are, as asked" if self.oversubscribed else used


def budget(streams: int | None, threads: int | None, cores: int) -> ThreadBudget:
    """The streams and threads asked for; what is left open (None) fills the cores, not more.

    One stream with all cores where both are open; always at least one of each. Raises UsageError
    for numbers under 1, and for more threads in all than any measurement can mean.
    """
    for name, asked in (("streams", streams), ("threads", threads)):
        if asked is not None and asked < 1:
            raise UsageError(f"{asked} {name} were asked for; at least 1 is needed.")
    if streams is None:
        streams = 1 if threads is None else max(1, cores // threads)
    made = ThreadBudget(streams, threads or max(1, cores // streams), cores)
    if made.streams * made.threads > MOST_THREADS_A_CORE * cores:
        raise UsageError(
            f"{made.streams} streams of {made.threads} threads were asked for, more than "
            f"{MOST_THREADS_A_CORE} threads on each of {cores} usable cores; ask for fewer."
        )
    return made
