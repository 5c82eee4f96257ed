"""The metric of a run, made again from what else its log holds.

    Offline        samples / longest latency: exact
    Server         (samples - 1) / time of the last completion. That sample was sent when the
                   schedule ended, (samples - 1) / scheduled rate, and took between the shortest and
                   the longest latency: a narrow range
    SingleStream   the (n - t)-th of n sorted latencies, t the most that may be discarded: it lies
    MultiStream    between the logged percentiles on both sides of it

SingleStream also gives what the other scenarios may be inferred from, the estimate of its 99th
percentile and two rates: 1 / mean latency, and queries / time until the last of them was sent.

A value outside these bounds was not measured by the run that the log tells of. Source: LoadGen's
results.cc, and MLCommons' "Early Stopping" rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from audit.findings import Finding, finding
from audit.logs.loadgen_log import DetailLog
from audit.logs.numbers import counted, percentile_share, positive
from audit.logs.window import measured_ns, work_ns
from audit.runs import early_stopping, latencies
from audit.runs.settings import LOGGED_DIGITS

ROUNDING = 0.5 * 10 ** (1 - LOGGED_DIGITS)
"""The tolerance, relative: LoadGen logs rates with so many digits. Latencies are whole ns."""

MULTISTREAM_SHARE = 0.99
"""The percentile at which SingleStream estimates a latency for MultiStream, whatever its own."""

_KIND: Mapping[str, latencies.Kind] = {
    "SingleStream": "latency_ns",
    "MultiStream": "query_latency_ns",
}


@dataclass(frozen=True)
class Recomputed:
    """What the rest of the log allows the metric to be, in its own unit."""

    low: float
    high: float
    how: str

    def allows(self, value: float) -> bool:
        """Whether ``value`` lies inside, to LoadGen's digits."""
        inside: bool = self.low * (1 - ROUNDING) <= value <= self.high * (1 + ROUNDING)
        return inside

    def __str__(self) -> str:
        low, high = f"{self.low:.6g}", f"{self.high:.6g}"
        return low if low == high else f"{low} to {high}"


def recompute(log: DetailLog) -> Mapping[str, Recomputed]:
    """The bounds of the metric of a performance log, and of each number it may be inferred from, by
    key; without those for which the log holds too little."""
    makings = _MAKING.get(str(log.value("effective_scenario")), {})
    made = ((key, making(log)) for key, making in makings.items())
    return {key: bounds for key, bounds in made if bounds is not None}


def contradictions(log: DetailLog) -> Iterator[Finding]:
    """A finding for each of these numbers that is not what the same log makes it."""
    for key, bounds in recompute(log).items():
        value = positive(log, key)
        if value is not None and not bounds.allows(value):
            yield finding(
                "metric.contradicted",
                log.place(key),
                found=f"{value:.10g}",
                expected=bounds,
                key=key,
                how=bounds.how,
            )


def _offline(log: DetailLog) -> Recomputed | None:
    samples = counted(log, "generated_samples_per_query") or counted(
        log, "effective_samples_per_query"
    )
    longest_ns = positive(log, "result_max_latency_ns")
    if not samples or longest_ns is None:
        return None
    rate = samples * 1e9 / longest_ns
    return Recomputed(rate, rate, f"{samples} samples in {longest_ns / 1e9:.10g} s")


def _server(log: DetailLog) -> Recomputed | None:
    queries, scheduled = (
        counted(log, "result_query_count"),
        positive(log, "result_scheduled_samples_per_sec"),
    )
    fastest_ns, slowest_ns = (
        positive(log, f"result_{which}_latency_ns") for which in ("min", "max")
    )
    if not queries or queries < 2 or not scheduled or fastest_ns is None or slowest_ns is None:
        return None
    sent_s = (queries - 1) / scheduled
    earliest_s, latest_s = sent_s + fastest_ns / 1e9, sent_s + slowest_ns / 1e9
    how = (
        f"{queries} queries, of which the last completed after {earliest_s:.6g} to {latest_s:.6g} s"
    )
    return Recomputed((queries - 1) / latest_s, (queries - 1) / earliest_s, how)


def _estimate(log: DetailLog) -> Recomputed | None:
    share = percentile_share(log)
    return _estimate_at(log, share) if share is not None else None


def _inferred_estimate(log: DetailLog) -> Recomputed | None:
    return _estimate_at(log, MULTISTREAM_SHARE)


def _estimate_at(log: DetailLog, share: float) -> Recomputed | None:
    """Bounds of the early-stopping estimate of the latency at the percentile ``share``, in ns."""
    queries = counted(log, "result_query_count")
    if not queries:
        return None
    discarded = early_stopping.late_allowed(share, queries)
    ranked = list(latencies.ranked(log, _KIND[str(log.value("effective_scenario"))], queries))
    if not discarded or not ranked:
        return None
    rank = queries - discarded
    below = [latency_ns for at, latency_ns in ranked if at <= rank]
    above = [latency_ns for at, latency_ns in ranked if at >= rank]
    if not below or not above:
        return None
    how = f"the {rank + 1}th of {queries} sorted latencies, by the percentiles on both sides of it"
    return Recomputed(max(below), min(above), how)


def _without_overhead(log: DetailLog) -> Recomputed | None:
    """Bounds of the rate of queries that are sent one after the other, by their mean latency."""
    mean_ns = positive(log, "result_mean_latency_ns")
    if mean_ns is None:
        return None
    how = f"queries of {mean_ns:.10g} ns in the mean, one after the other"
    return Recomputed(1e9 / (mean_ns + 1), 1e9 / mean_ns, how)


def _with_overhead(log: DetailLog) -> Recomputed | None:
    """By the clock: the last query was sent its latency, and next to nothing, before the end."""
    queries, passed_ns = counted(log, "result_query_count"), measured_ns(log)
    if not queries or queries < 2 or not passed_ns:
        return None
    shortest_ns, longest_ns = work_ns(passed_ns)
    shortest_ns -= positive(log, "result_max_latency_ns") or 0
    sent = (queries - 1) * 1e9
    how = f"{queries} queries, of which the last was sent within {passed_ns / 1e9:.10g} s"
    return Recomputed(sent / longest_ns, sent / max(shortest_ns, 1), how)


_Making = Callable[[DetailLog], Recomputed | None]
_MAKING: Mapping[str, Mapping[str, _Making]] = {
    "Offline": {"result_samples_per_second": _offline},
    "Server": {"result_completed_samples_per_sec": _server},
    "SingleStream": {
        "early_stopping_latency_ss": _estimate,
        "early_stopping_latency_ms": _inferred_estimate,
        "result_qps_without_loadgen_overhead": _without_overhead,
        "result_qps_with_loadgen_overhead": _with_overhead,
    },
    "MultiStream": {"early_stopping_latency_ms": _estimate},
}
"""Of each scenario its metric, and then what else its log gives twice."""
