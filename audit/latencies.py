"""Whether the latencies of a log can be those of one list: sorted, and as many late as it says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from audit.findings import Finding, finding
from audit.loadgen_log import DetailLog
from audit.numbers import counted, positive

_KINDS = ("latency_ns", "query_latency_ns")
"""Of samples, and of MultiStream's queries."""
_PERCENTILE = {
    "latency_ns": re.compile(r"result_([0-9]+\.[0-9]+)_percentile_latency_ns"),
    "query_latency_ns": re.compile(r"result_([0-9]+\.[0-9]+)_percentile_per_query_latency_ns"),
}


def contradictions(log: DetailLog) -> Iterator[Finding]:
    """An error for each latency that is out of order, and for late queries that can't be."""
    for kind in _KINDS:
        yield from _disorder(log, _rising(log, kind))
        ends = [f"result_{which}_{kind}" for which in ("min", "mean", "max")]
        yield from _disorder(log, ends)
    limit_ns = positive(log, "effective_target_latency_ns")
    late, longest_ns = (
        counted(log, "result_overlatency_query_count"),
        positive(log, "result_max_latency_ns"),
    )
    if limit_ns is None or late is None or longest_ns is None:
        return
    if (late > 0) != (longest_ns > limit_ns):
        key = "result_overlatency_query_count"
        yield finding("log.late", log.place(key), found=late, expected=f"{longest_ns:.0f}")


def _rising(log: DetailLog, kind: str) -> list[str]:
    """Keys of the shortest latency, the percentiles in order, and the longest."""
    matches = (_PERCENTILE[kind].fullmatch(key) for key in log.entries if "percentile" in key)
    percentiles = sorted((float(match[1]), match[0]) for match in matches if match)
    return [f"result_min_{kind}", *(key for _, key in percentiles), f"result_max_{kind}"]


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
