"""Whether the latencies of a log can be those of one list: sorted, and as many late as it says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

from audit.findings import Finding, finding
from audit.logs.loadgen_log import DetailLog
from audit.logs.numbers import counted, positive

Kind = Literal["latency_ns", "query_latency_ns"]
"""What the keys of latencies end with: of samples, and of MultiStream's queries."""
_PERCENTILE: dict[Kind, re.Pattern[str]] = {
    "latency_ns": re.compile(r"result_([0-9]+\.[0-9]+)_percentile_latency_ns"),
    "query_latency_ns": re.compile(r"result_([0-9]+\.[0-9]+)_percentile_per_query_latency_ns"),
}


def contradictions(log: DetailLog) -> Iterator[Finding]:
    """An error for each latency that is out of order, and for late queries that can't be."""
    for kind in _PERCENTILE:
        yield from _disorder(log, _rising(log, kind))
        ends = [f"result_{which}_{kind}" for which in ("min", "mean", "max")]
        yield from _disorder(log, ends)
    yield from _late(log)


def ranked(log: DetailLog, kind: Kind, queries: int) -> Iterator[tuple[int, float]]:
    """(rank from 0, latency in ns) of ``queries`` sorted latencies, as far as the log tells them:
    the shortest, the longest and each percentile p, LoadGen's latency number p x queries."""
    for share, key in _percentiles(log, kind):
        latency_ns = positive(log, key)
        if latency_ns is not None:
            yield int(queries * round(share, 6)), latency_ns
    for key, rank in (("min", 0), ("max", queries - 1)):
        latency_ns = positive(log, f"result_{key}_{kind}")
        if latency_ns is not None:
            yield rank, latency_ns


def _percentiles(log: DetailLog, kind: Kind) -> list[tuple[float, str]]:
    """The share of 1 and the key of each percentile logged, in rising order."""
    matches = (_PERCENTILE[kind].fullmatch(key) for key in log.entries if "percentile" in key)
    return sorted((float(match[1]) / 100, match[0]) for match in matches if match)


def _rising(log: DetailLog, kind: Kind) -> list[str]:
    """Keys of the shortest latency, the percentiles in order, and the longest."""
    percentiles = (key for _, key in _percentiles(log, kind))
    return [f"result_min_{kind}", *percentiles, f"result_max_{kind}"]


def _disorder(log: DetailLog, keys: list[str]) -> Iterator[Finding]:
    known = [(key, number) for key in keys if (number := positive(log, key)) is not None]
    for (lower, less), (key, more) in pairwise(known):
        if less > more:
            yield finding(
                "log.order",
                log.place(key),
                found=f"{more:.0f}",
                expected=f"{less:.0f}",
                key=key,
                lower=lower,
            )


def _late(log: DetailLog) -> Iterator[Finding]:
    """A sorted latency beyond the limit makes all behind it late, one within it none before it."""
    limit_ns = positive(log, "effective_target_latency_ns")
    queries = counted(log, "result_query_count")
    late = counted(log, "result_overlatency_query_count")
    if limit_ns is None or not queries or late is None:
        return
    known = list(ranked(log, "latency_ns", queries))
    least = max((queries - rank for rank, found_ns in known if found_ns > limit_ns), default=0)
    within = (queries - rank - 1 for rank, found_ns in known if found_ns <= limit_ns)
    most = min(within, default=queries)
    if not least <= late <= most:
        expected = f"{least}" if least == most else f"{least} to {most}"
        where = log.place("result_overlatency_query_count")
        yield finding("log.late", where, found=late, expected=expected, processed=queries)
