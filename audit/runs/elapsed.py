"""Whether the time that a run's numbers speak of is the time that passed on the clock.

The clock is the one of ``power_begin`` and ``power_end``: written for power meters, and independent
of LoadGen's own count of nanoseconds.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit import quantities
from audit.findings import Finding, finding
from audit.logs import window
from audit.logs.loadgen_log import DetailLog
from audit.logs.numbers import counted, positive

BETWEEN_SHARE, BETWEEN_NS = 0.1, 200e3
"""What passes from the end of a query to the start of the next where one is sent after the other:
so large a share of its latency, and so much at every query, at the most. Seen were 3 to 20 µs at
queries below 3 ms, and up to 100 µs at longer ones; ten times that is left to slower harnesses and
busy machines, for an honest run must not be refused."""


def disagreements(log: DetailLog) -> Iterator[Finding]:
    """A finding where the numbers need more time than passed, or leave too much of it unexplained;
    before that, one for each number without which that can't be told."""
    yield from window.complaints(log)
    yield from _absent(log)
    spoken_ns, passed_ns = _spoken_ns(log), window.measured_ns(log)
    if spoken_ns is None or passed_ns is None:
        return
    shortest_ns, longest_ns = window.work_ns(passed_ns)
    explained_ns = spoken_ns + _between_ns(log, spoken_ns)
    if spoken_ns > longest_ns or explained_ns < shortest_ns:
        yield finding(
            "metric.elapsed",
            log.place("power_end"),
            found=quantities.duration(spoken_ns),
            expected=quantities.duration(passed_ns),
        )


def _absent(log: DetailLog) -> Iterator[Finding]:
    for key in _SPEAKING.get(str(log.value("effective_scenario")), ()):
        if key not in log.entries:
            yield finding("log.absent", log.where, key=key)


def _between_ns(log: DetailLog, spoken_ns: float) -> float:
    """The most that may have passed between the queries, beside the time that they took."""
    if log.value("effective_scenario") not in _ONE_AFTER_THE_OTHER:
        return 0
    queries = counted(log, "result_query_count") or 0
    return spoken_ns * BETWEEN_SHARE + queries * BETWEEN_NS


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


_ONE_AFTER_THE_OTHER = ("SingleStream", "MultiStream")
_SPEAKING = {
    "Offline": ("result_max_latency_ns",),
    "Server": ("result_query_count",),
    "SingleStream": ("result_query_count", "result_mean_latency_ns"),
    "MultiStream": ("result_query_count", "result_mean_query_latency_ns"),
}
"""What the time is made of, beside a metric that has a rule of its own: LoadGen always logs it."""
