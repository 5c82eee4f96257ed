"""What early stopping asks of a run, by what the log of the run counts."""

from __future__ import annotations

from dataclasses import dataclass

from audit.logs.loadgen_log import DetailLog
from audit.logs.numbers import counted, percentile_share
from audit.runs import early_stopping


@dataclass(frozen=True)
class StoppingNeeds:
    """A run of so many queries, and how many it should have."""

    share: float
    """The percentile that the latency is taken at, of 1."""
    processed: int
    """Queries of the run."""
    late: int
    """Of Server, queries beyond its limit; elsewhere those that an estimate discards at least."""

    @property
    def queries(self) -> int:
        """The fewest that early stopping takes with so many late ones."""
        return early_stopping.min_queries(self.share, self.late)

    @property
    def more(self) -> int:
        """Queries that are lacking, if every one of them is in time."""
        return max(0, self.queries - self.processed)

    @property
    def late_allowed(self) -> int:
        """The most of those processed that may be late."""
        return early_stopping.late_allowed(self.share, self.processed) or 0


def stopping_needs(log: DetailLog) -> StoppingNeeds | None:
    """None where the log lacks a count, and in Offline, whose single query nothing stops."""
    scenario, late = log.value("effective_scenario"), _late(log)
    share, processed = percentile_share(log), counted(log, "result_query_count")
    if scenario == "Offline" or share is None or processed is None or late is None:
        return None
    return StoppingNeeds(share, processed, late)


def _late(log: DetailLog) -> int | None:
    if log.value("effective_scenario") != "Server":
        return early_stopping.ESTIMATE_LATE
    return counted(log, "result_overlatency_query_count")
