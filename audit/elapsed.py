"""Whether the time that a run's numbers speak of is the time that passed on the clock.

The clock is the one of ``power_begin`` and ``power_end``: written for power meters, and independent
of LoadGen's own count of nanoseconds.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit import quantities
from audit.findings import Finding, finding
from audit.loadgen_log import DetailLog
from audit.numbers import counted, positive
from audit.window import RESOLUTION_NS, measured_ns

CLOCK_TOLERANCE = 0.001
"""A wall clock that is being disciplined may run so much slower than LoadGen's own."""
OVERHEAD_SHARE, OVERHEAD_NS = 0.01, 1e9
"""What passes in Offline and Server before the first sample is sent and after the last completed:
milliseconds in every run seen."""


def disagreements(log: DetailLog) -> Iterator[Finding]:
    """A finding where the numbers need more time than passed, or, in Offline and Server, leave much
    of it unexplained. Between the queries of the other scenarios a harness may take its time."""
    spoken_ns, passed_ns = _spoken_ns(log), measured_ns(log)
    if spoken_ns is None or passed_ns is None:
        return
    longest_ns = passed_ns * (1 + CLOCK_TOLERANCE) + 2 * RESOLUTION_NS
    shortest_ns = passed_ns * (1 - OVERHEAD_SHARE) - OVERHEAD_NS
    idle = log.value("effective_scenario") in ("SingleStream", "MultiStream")
    if spoken_ns > longest_ns or (spoken_ns < shortest_ns and not idle):
        yield finding(
            "metric.elapsed",
            log.place("power_end"),
            found=quantities.duration(spoken_ns),
            expected=quantities.duration(passed_ns),
        )


def _spoken_ns(log: DetailLog) -> float | None:
    """The time that the samples took by the log's own numbers."""
    scenario = log.value("effective_scenario")
    if scenario == "Offline":
        return positive(log, "result_max_latency_ns")
    queries = counted(log, "result_query_count")
    if not queries or queries < 2:
        return None
    if scenario == "Server":
        rate = positive(log, "result_completed_samples_per_sec")
        return (queries - 1) * 1e9 / rate if rate else None
    mean_ns = positive(log, "result_mean_query_latency_ns") or positive(
        log, "result_mean_latency_ns"
    )
    return queries * mean_ns if mean_ns else None
