"""Whether LoadGen's summary, which people read, says what its detail log says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from audit.findings import Finding, finding
from audit.loadgen_log import DetailLog
from audit.regular_file import read_regular
from audit.settings import LOGGED_DIGITS
from datasets.errors import EvidenceError

SUMMARY = "mlperf_log_summary.txt"

_VERDICT = re.compile(r"^Result is\s*:\s*(VALID|INVALID)\s*$", re.MULTILINE)
_NUMBER = re.compile(r"^([A-Za-z0-9. ]+?)(?: \(ns\))?\s*:\s*([0-9.e+]+)\s*$", re.MULTILINE)
_KEYS = {
    "Samples per second": "result_samples_per_second",
    "Completed samples per second": "result_completed_samples_per_sec",
    "Scheduled samples per second": "result_scheduled_samples_per_sec",
    "Min latency": "result_min_latency_ns",
    "Max latency": "result_max_latency_ns",
    "Mean latency": "result_mean_latency_ns",
}
_PERCENTILE = re.compile(r"([0-9]+\.[0-9][0-9]) percentile latency")


def contradictions(folder: Path, log: DetailLog) -> Iterator[Finding]:
    """An error for each thing that the summary in ``folder`` gives otherwise than ``log``.

    Where there is no summary, nothing is said: that is another matter.
    """
    try:
        text = read_regular(folder / SUMMARY).decode("utf-8", errors="replace")
    except EvidenceError:
        return
    yield from disagreements(text, log)


def has_verdict(text: str) -> bool:
    """Whether the summary ``text`` goes as far as LoadGen's verdict on the run."""
    return _VERDICT.search(text) is not None


def disagreements(text: str, log: DetailLog) -> Iterator[Finding]:
    """An error for each thing that the summary ``text`` gives otherwise than ``log``."""
    said, logged = _VERDICT.search(text), log.value("result_validity")
    if said and logged is not None and said[1] != logged:
        place = log.place("result_validity")
        yield finding("log.summary", place, found=logged, expected=said[1], key="result_validity")
    for name, number in _NUMBER.findall(text):
        key = _key(name, per_query=log.value("effective_scenario") == "MultiStream")
        value = log.number(key) if key else None
        if key and value is not None and not _same(value, number):
            yield finding("log.summary", log.place(key), found=value, expected=number, key=key)


def _key(name: str, *, per_query: bool) -> str | None:
    """The key of the detail log; MultiStream's summary tells the latencies of whole queries."""
    percentile, query = _PERCENTILE.fullmatch(name), "query_" if per_query else ""
    if percentile:
        return f"result_{percentile[1]}_percentile_{'per_' if per_query else ''}{query}latency_ns"
    key = _KEYS.get(name)
    return key.replace("latency_ns", f"{query}latency_ns") if key else None


def _same(value: float, text: str) -> bool:
    """Rates stand in the summary with two decimals, in the log with a few significant digits."""
    decimals = len(text.partition(".")[2])
    try:
        apart = abs(value - float(text))
    except ValueError:
        return False
    digits = 0.5 * 10.0 ** (1 - LOGGED_DIGITS) * abs(value)
    return apart <= digits + (0.5 * 10.0**-decimals if decimals else 0) + 1e-9
