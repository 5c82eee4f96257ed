"""Whether what a VALID log says in words is what LoadGen says of such numbers.

LoadGen writes one sentence on early stopping, made of the log's own numbers, and gives a reason
only where it calls a run INVALID. So the sentence is made again here and has to be the same, but
for spaces and for the decimals of a percentile. Source: LoadGen's results.cc.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from audit.findings import Finding, finding
from audit.logs.loadgen_log import DetailLog
from audit.logs.numbers import counted, percentile_share
from audit.runs import early_stopping
from audit.runs.recomputed import MULTISTREAM_SHARE

_KEY = "early_stopping_result"
_PERCENTILE = re.compile(r"([0-9]+(?:\.[0-9]+)?)th\b")


def contradictions(log: DetailLog) -> Iterator[Finding]:
    """An error for each sentence that LoadGen would not write of this run, which it calls VALID."""
    said = log.value(_KEY)
    expected = _result(log) if said is not None else None
    if expected is not None and _plain(str(said)) != expected:
        yield _claimed(log, _KEY, expected or "nothing")
    reason = log.value("result_invalid_reason")
    if reason is not None and str(reason).strip():
        yield _claimed(log, "result_invalid_reason", "nothing")


def _claimed(log: DetailLog, key: str, expected: str) -> Finding:
    found = repr(log.value(key))[:160]
    return finding("validity.words", log.place(key), found=found, expected=expected, key=key)


def _plain(text: str) -> str:
    """``text`` with single spaces, and percentiles without needless decimals."""
    return " ".join(_PERCENTILE.sub(lambda match: f"{float(match[1]):g}th", text).split())


def _result(log: DetailLog) -> str | None:
    """What LoadGen says of early stopping; None where the log lacks what it is made of."""
    scenario, queries, share = (
        log.value("effective_scenario"),
        counted(log, "result_query_count"),
        percentile_share(log),
    )
    if scenario in ("Offline", "Server"):
        return "* Run successful." if scenario == "Server" else ""
    if queries is None or share is None:
        return None
    if scenario == "MultiStream":
        return _processed(log, queries, share, "early_stopping_latency_ms")
    first = _processed(log, queries, share, "early_stopping_latency_ss")
    return f"{first} {_inferred(log, queries)}"


def _processed(log: DetailLog, queries: int, share: float, key: str) -> str:
    fewest = early_stopping.min_queries(share, early_stopping.ESTIMATE_LATE)
    discarded = (early_stopping.late_allowed(share, queries) or 0) - early_stopping.ESTIMATE_LATE
    return (
        f"* Processed at least {fewest} queries ({queries}). "
        f"* Would discard {discarded} highest latency queries. {_estimate(log, share, key)}"
    )


def _inferred(log: DetailLog, queries: int) -> str:
    """SingleStream also estimates the latency that MultiStream may be inferred from."""
    fewest = early_stopping.min_queries(MULTISTREAM_SHARE, early_stopping.ESTIMATE_LATE)
    if queries >= fewest:
        return _estimate(log, MULTISTREAM_SHARE, "early_stopping_latency_ms")
    return (
        f"* Not enough queries processed for {MULTISTREAM_SHARE * 100:g}th percentile early "
        f"stopping estimate (would need to process at least {fewest} total queries)."
    )


def _estimate(log: DetailLog, share: float, key: str) -> str:
    return f"* Early stopping {share * 100:g}th percentile estimate: {log.value(key)}"
