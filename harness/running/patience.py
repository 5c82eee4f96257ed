"""When a run counts as hung: how long each kind of silence is borne."""

from __future__ import annotations

from dataclasses import dataclass

from harness.running.progress import Phase, Snapshot

OTHER_WAITS_LEAST_S = 60.0


@dataclass(frozen=True)
class Patience:
    """How long the supervisor waits before it calls a run hung."""

    stall_s: float = 60.0
    """Without a completion while samples are outstanding."""
    start_s: float = 600.0
    """From the start of the child to the first query."""
    idle_s: float = 600.0
    """Without anything at all: between queries, or while LoadGen writes its logs."""

    @staticmethod
    def of(asked_s: float | None, usual_s: float) -> Patience:
        """With the stall that was asked for, which shortens the other waits too: to no less than a
        minute, since opening a model and the pause between two queries take their time."""
        if asked_s is None:
            return Patience(stall_s=usual_s)
        other_s = max(asked_s, OTHER_WAITS_LEAST_S)
        return Patience(stall_s=asked_s, start_s=other_s, idle_s=other_s)

    def complaint(self, seen: Snapshot | None, now_ns: int, started_ns: int) -> str | None:
        """Why the run is hung, or None while it is not. Pure: times of the monotonic clock."""
        if seen is None or seen.phase < Phase.RUNNING:
            if now_ns - started_ns > self.start_s * 1e9:
                return f"the run did not start within {self.start_s:g} s"
            return None
        quiet_s = (now_ns - seen.last_ns) / 1e9
        outstanding = seen.issued - seen.completed
        if outstanding and quiet_s > self.stall_s:
            return (
                f"no sample completed for {self.stall_s:g} s, with {outstanding} outstanding "
                f"and {seen.completed} completed"
            )
        if quiet_s > self.idle_s:
            return f"nothing happened for {self.idle_s:g} s after {seen.completed} samples"
        return None
