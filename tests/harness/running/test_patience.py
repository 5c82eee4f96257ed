"""When a run counts as hung."""

from __future__ import annotations

from harness.running.patience import Patience
from harness.running.progress import Phase, Snapshot

SECOND = 1_000_000_000


def _seen(phase: Phase, issued: int = 0, completed: int = 0, last_s: int = 0) -> Snapshot:
    return Snapshot(phase, 0, issued, completed, 0, 0, 0, last_s * SECOND)


def test_outstanding_samples_without_a_completion_are_a_hang() -> None:
    patience = Patience(stall_s=10)
    seen = _seen(Phase.RUNNING, issued=5, completed=4, last_s=100)
    assert patience.complaint(seen, 109 * SECOND, 0) is None
    complaint = patience.complaint(seen, 111 * SECOND, 0)
    assert complaint is not None
    assert "no sample completed for 10 s, with 1 outstanding and 4 completed" in complaint


def test_waiting_between_queries_is_no_hang() -> None:
    patience = Patience(stall_s=10, idle_s=600)
    seen = _seen(Phase.RUNNING, issued=5, completed=5, last_s=100)
    assert patience.complaint(seen, 200 * SECOND, 0) is None
    assert "nothing happened" in (patience.complaint(seen, 701 * SECOND, 0) or "")


def test_a_run_that_never_starts_is_a_hang() -> None:
    patience = Patience(start_s=30)
    assert patience.complaint(None, 29 * SECOND, 0) is None
    for seen in (None, _seen(Phase.OPENING)):
        assert "did not start within 30 s" in (patience.complaint(seen, 31 * SECOND, 0) or "")
