"""The four conditions that a VALID log claims to meet, against what it counts.

LoadGen says VALID only where each is met: time, queries, early stopping and, in Server, latency.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from audit import quantities
from audit.findings import Finding, finding
from audit.logs.loadgen_log import DetailLog
from audit.logs.numbers import counted
from audit.logs.window import longest_ns, measured_ns
from audit.runs import invalid
from audit.runs.stopping_needs import stopping_needs

_SERVERS_OWN = "result_perf_constraints_met"
"""The condition that only Server has."""


def contradictions(log: DetailLog) -> Iterator[Finding]:
    """An error for each condition of a VALID log that is absent, or that its counts deny."""
    yield from _conditions(log)
    yield from _duration(log)
    yield from _queries(log)
    yield from _early_stopping(log)


def _conditions(log: DetailLog) -> Iterator[Finding]:
    """LoadGen says VALID only where each of its conditions is met."""
    for key in invalid.CONDITIONS:
        met = log.value(key)
        if met is None and (key != _SERVERS_OWN or log.value("effective_scenario") == "Server"):
            yield finding("log.absent", log.where, key=key)
        elif met is not None and met is not True:
            found = json.dumps(met, default=str)
            yield finding("validity.condition_claimed", log.place(key), found=found, key=key)


def _duration(log: DetailLog) -> Iterator[Finding]:
    least_ms, lasted_ns = log.number("effective_min_duration_ms"), measured_ns(log)
    if not least_ms or lasted_ns is None:
        return
    if longest_ns(lasted_ns) < least_ms * 1e6:
        yield finding(
            "validity.duration_claimed",
            log.place("power_end"),
            found=quantities.duration(lasted_ns),
            expected=quantities.duration(least_ms * 1e6),
        )


def _queries(log: DetailLog) -> Iterator[Finding]:
    key = "result_query_count"
    least, processed = counted(log, "effective_min_query_count"), counted(log, key)
    if least is not None and processed is not None and processed < least:
        yield finding("validity.queries_claimed", log.place(key), found=processed, expected=least)


def _early_stopping(log: DetailLog) -> Iterator[Finding]:
    """Early stopping is met only by enough queries. A Server run without a latency limit of its
    own, as token benchmarks have, has none late."""
    needs, scenario = stopping_needs(log), log.value("effective_scenario")
    unlimited = scenario == "Server" and log.value("effective_target_latency_ns") == 0
    if log.value("early_stopping_met") is not True or needs is None or unlimited:
        return
    if needs.more:
        yield finding(
            "validity.early_stopping_claimed",
            log.place("early_stopping_met"),
            found=needs.processed,
            expected=needs.queries,
            late=needs.late,
            percentile=quantities.percentile(needs.share),
        )
