"""Whether LoadGen's summary, which people read, says what its detail log says.

Every line of the summary that tells a value of the detail log is compared with it: the verdict and
its conditions, rates and latencies, all parameters of the test, the words on early stopping, and
how many errors and warnings there were. The names of its lines are data (``summary_lines.json``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from audit.findings import Finding, finding
from audit.logs.loadgen_log import DetailLog
from audit.regular_file import read_regular
from audit.runs.settings import LOGGED_DIGITS
from datasets.errors import EvidenceError

SUMMARY = "mlperf_log_summary.txt"

_VERDICT = re.compile(r"^Result is\s*:\s*(VALID|INVALID)\s*$", re.MULTILINE)
_TITLES = ("MLPerf Results Summary", "Result is", "Test Parameters Used")
"""What stands in a summary once."""
_PERCENTILE = re.compile(r"([0-9]{1,2}(?:\.[0-9]+)?)(?:th)? percentile latency")
_PARAMETER = re.compile(r"[a-z_]+")
_UNIT = re.compile(r"(.*) \((ns|ms)\)")
_EARLY_STOPPING = re.compile(r"^Early Stopping Result:\s*\n((?:.*\S.*\n?)*)", re.MULTILINE)
_COMPLAINTS = re.compile(
    r"^(No|[0-9]+) (warning|error)s? encountered", re.MULTILINE | re.IGNORECASE
)


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
    lines = text.splitlines()
    for title in _TITLES:
        times = sum(line.startswith(title) for line in lines) if text.count(title) > 1 else 1
        if times > 1:
            yield finding("log.summary_twice", log.where, found=times, title=title)
    per_query = log.value("effective_scenario") == "MultiStream"
    for line in lines:
        name, colon, said = line.partition(":")
        key = _key(name.strip(), per_query) if colon else None
        if key and key in log.entries and not _same(log.value(key), said.strip()):
            yield _differs(log, key, log.value(key), said.strip())
    yield from _early_stopping(text, log)
    yield from _complaints(text, log)


def _differs(log: DetailLog, key: str, found: object, said: str) -> Finding:
    return finding("log.summary", log.place(key), found=found, expected=said, key=key)


def _early_stopping(text: str, log: DetailLog) -> Iterator[Finding]:
    key = "early_stopping_result"
    logged = log.value(key)
    for said in _EARLY_STOPPING.findall(text):
        if isinstance(logged, str) and logged.split() != said.split():
            yield _differs(log, key, " ".join(logged.split()), " ".join(said.split()))


def _complaints(text: str, log: DetailLog) -> Iterator[Finding]:
    logged = {"warning": len(log.warnings), "error": len(log.errors)}
    for number, kind in _COMPLAINTS.findall(text):
        count = logged[kind.lower()]
        if number != (str(count) if count else "No"):
            yield _differs(log, f"the number of {kind.lower()} lines", count, number)


@lru_cache(maxsize=1024)
def _key(name: str, per_query: bool) -> str | None:
    """The key of the detail log; ``per_query``, the latencies told are those of whole queries, as
    MultiStream's summary tells them."""
    with_unit = _UNIT.fullmatch(name)
    bare, unit = with_unit.groups() if with_unit else (name, "")
    percentile = _PERCENTILE.fullmatch(bare)
    if percentile:
        kind = "per_query_latency_ns" if per_query else "latency_ns"
        return f"result_{float(percentile[1]):.2f}_percentile_{kind}"
    if bare in _table()["latencies"]:
        pattern: str = _table()["latencies"][bare]
        return pattern.format(query="query_" if per_query else "")
    if _PARAMETER.fullmatch(bare):
        return f"effective_{bare}_{unit}" if unit else f"effective_{bare}"
    key: str | None = _table()["lines"].get(bare)
    return key


def _same(value: object, text: str) -> bool:
    """Whether ``text`` stands for the ``value`` logged. One that is no finite number is told of
    elsewhere."""
    if isinstance(value, bool):
        return _table()["truths"].get(text) is value
    if isinstance(value, int) and text.isascii() and text.isdecimal():
        return text == str(value)
    if isinstance(value, int | float):
        return not abs(value) < _BEYOND or _rounded(value, text)
    return value is None or str(value).strip() == text


def _rounded(value: float, text: str) -> bool:
    """Rates stand in the summary with two decimals, in the log with a few significant digits."""
    decimals = len(text.partition(".")[2])
    try:
        apart = abs(value - float(text))
    except ValueError:
        return False
    digits = 0.5 * 10.0 ** (1 - LOGGED_DIGITS) * abs(value)
    return apart <= digits + (0.5 * 10.0**-decimals if decimals else 0) + 1e-9


_BEYOND = 1e21
"""No number that LoadGen logs is larger; infinity and NaN aren't below it."""


@cache
def _table() -> Mapping[str, Any]:
    file = Path(__file__).with_name("summary_lines.json")
    table: Mapping[str, Any] = json.loads(file.read_text("utf-8"))
    return table
