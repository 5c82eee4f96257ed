"""Why LoadGen called a run INVALID, and the one setting that would have made it VALID.

LoadGen tests four conditions and logs each; its own recommendation is empty for some. Every
suggested value is computed from what the log measured.
"""

from __future__ import annotations

from collections.abc import Callable

from audit import quantities
from audit.findings import Change, Finding, finding
from audit.logs.loadgen_log import DetailLog
from audit.logs.numbers import counted, percentile_share, positive
from audit.logs.window import measured_ns
from audit.runs.stopping_needs import StoppingNeeds, stopping_needs

RATE_MARGIN = 0.9
"""Share of the rate that a run sustained which the next one is advised to ask for."""
LENGTH_MARGIN = 1.1
"""How much longer than computed the next run is advised to be."""
_UNKNOWN = StoppingNeeds(share=0.99, processed=0, late=0)
"""Of a log that lacks its counts."""

_EXPECTED_LATENCY = {
    "SingleStream": "requested_single_stream_expected_latency_ns",
    "MultiStream": "requested_multi_stream_expected_latency_ns",
}


def reasons(log: DetailLog) -> tuple[Finding, ...]:
    """One finding for each of LoadGen's conditions that was not met; never empty.

    Where too many queries are late, early stopping follows from it: more of them can't meet it.
    """
    unmet = [key for key in CONDITIONS if log.value(key) is False]
    if _LATENCY in unmet:
        unmet = [key for key in unmet if key != _EARLY_STOPPING]
    found = tuple(CONDITIONS[key](log) for key in unmet)
    if found:
        return found
    said = log.value("result_invalid_reason") or "none"
    where = log.place("result_validity")
    return (finding("validity.unexplained", where, found=said),)


def _latency(log: DetailLog) -> Finding:
    needs = stopping_needs(log)
    late, allowed = (needs.late, needs.late_allowed) if needs else ("an unknown number", "none")
    asked = positive(log, "effective_target_qps")
    rates = [rate for rate in (asked, positive(log, "result_completed_samples_per_sec")) if rate]
    return finding(
        "validity.latency",
        log.place("result_perf_constraints_met"),
        found=late,
        expected=allowed,
        processed=_count(log, "result_query_count"),
        limit=_duration(log.number("effective_target_latency_ns")),
        percentile=_percentile_text(log),
        change=Change(
            _setting(log, "target_qps"),
            asked,
            quantities.rounded_down(RATE_MARGIN * min(rates)) if rates else 1.0,
        ),
    )


def _duration_short(log: DetailLog) -> Finding:
    demanded_ms = log.number("effective_min_duration_ms")
    return finding(
        "validity.duration",
        log.place("result_min_duration_met"),
        found=_duration(_lasted_ns(log)),
        expected=_duration(None if demanded_ms is None else demanded_ms * 1e6),
        change=_longer(log),
    )


def _longer(log: DetailLog) -> Change:
    scenario = log.value("effective_scenario")
    most_ms = log.number("effective_max_duration_ms")
    if most_ms and most_ms < (log.number("effective_min_duration_ms") or 0):
        return Change(_setting(log, "max_duration"), most_ms, 0)
    if scenario == "Offline":
        rate = positive(log, "result_samples_per_second") or 1.0
        asked = log.number("effective_target_qps")
        return Change(_setting(log, "target_qps"), asked, quantities.rounded_up(rate))
    if scenario in _EXPECTED_LATENCY:
        return _shorter_expected_latency(log, scenario)
    return _more_queries(log, _queries_in(log, log.number("effective_min_duration_ms")))


def _shorter_expected_latency(log: DetailLog, scenario: str) -> Change:
    measured_ns = mean_query_ns(log)
    expected_ns = log.number(_EXPECTED_LATENCY[scenario])
    return Change(
        _setting(log, "target_latency"),
        None if expected_ns is None else expected_ns / 1e6,
        quantities.rounded_down((measured_ns or 1e6) / 1e6),
    )


def mean_query_ns(log: DetailLog) -> float | None:
    """Mean latency of a SingleStream or MultiStream query; None where the log has none."""
    return positive(log, "result_mean_query_latency_ns") or positive(log, "result_mean_latency_ns")


def _queries_few(log: DetailLog) -> Finding:
    return finding(
        "validity.queries",
        log.place("result_min_queries_met"),
        found=_count(log, "result_query_count"),
        expected=_count(log, "effective_min_query_count"),
        change=_long_enough_for(log, positive(log, "effective_min_query_count")),
    )


def _long_enough_for(log: DetailLog, queries: float | None) -> Change:
    """The minimum duration in which so many queries are processed at the measured rate."""
    processed, lasted_ns = positive(log, "result_query_count"), _lasted_ns(log)
    present_ms = positive(log, "effective_min_duration_ms")
    if not queries or not processed or not lasted_ns or lasted_ns < 0:
        return Change(_setting(log, "min_duration"), present_ms, 600_000)
    needed_ms = queries * lasted_ns / processed / 1e6 * LENGTH_MARGIN
    suggested_ms = quantities.rounded_up(max(needed_ms, present_ms or 0, 1.0))
    return Change(_setting(log, "min_duration"), present_ms, suggested_ms)


def _early_stopping(log: DetailLog) -> Finding:
    needs = stopping_needs(log) or _UNKNOWN
    return finding(
        "validity.early_stopping",
        log.place("early_stopping_met"),
        found=needs.processed,
        expected=needs.queries,
        more=needs.more,
        late=counted(log, "result_overlatency_query_count") or 0,
        percentile=quantities.percentile(needs.share),
        change=_more_queries(log, needs.queries),
    )


def _more_queries(log: DetailLog, queries: float) -> Change:
    present = log.number("effective_min_query_count")
    return Change(_setting(log, "min_query_count"), present, queries)


def _queries_in(log: DetailLog, duration_ms: float | None) -> float:
    """Queries that LoadGen sends in ``duration_ms`` at the rate asked for, with a margin."""
    rate = positive(log, "effective_target_qps") or 1.0
    return quantities.rounded_up(max(1.0, rate * (duration_ms or 0) / 1e3 * LENGTH_MARGIN))


def _lasted_ns(log: DetailLog) -> float | None:
    """Offline's only query tells its length exactly; elsewhere the marks for power meters do."""
    if log.value("effective_scenario") == "Offline":
        return positive(log, "result_max_latency_ns")
    return measured_ns(log)


def _percentile_text(log: DetailLog) -> str:
    share = percentile_share(log)
    return "unknown" if share is None else quantities.percentile(share)


def _setting(log: DetailLog, name: str) -> str:
    return f"*.{log.value('effective_scenario')}.{name}"


def _count(log: DetailLog, key: str) -> str:
    number = log.number(key)
    return "an unknown number of" if number is None else f"{number:.0f}"


def _duration(nanoseconds: float | None) -> str:
    return "an unknown time" if nanoseconds is None else quantities.duration(nanoseconds)


_LATENCY, _EARLY_STOPPING = "result_perf_constraints_met", "early_stopping_met"
CONDITIONS: dict[str, Callable[[DetailLog], Finding]] = {
    _LATENCY: _latency,
    "result_min_duration_met": _duration_short,
    "result_min_queries_met": _queries_few,
    _EARLY_STOPPING: _early_stopping,
}
