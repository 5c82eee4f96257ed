"""The samples that a run loaded: how many different ones, and whether the library has them all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from audit.logs.loadgen_log import DetailLog
from audit.submission.findings import Outcome, judged
from audit.submission.standing import line_in

_KEY = "loaded_qsl_set"


def loaded_samples(log: DetailLog, demanded: int) -> Iterator[Outcome]:
    """What the last list of loaded samples names; nothing where the log has no list."""
    if _KEY not in log.entries:
        return
    listed = _listed(log.value(_KEY))
    different = {one for one in listed if type(one) is int}
    line, count = line_in(log, log.place(_KEY)), len(different)
    holds = count >= demanded
    yield judged(holds, "PERF-011", log.where, line=line, found=count, expected=demanded)
    strange = _strange(listed, different, log.number("qsl_reported_total_count"))
    found = ", ".join(f"{one!r:.80}" for one in strange)
    yield judged(not strange, "PERF-032", log.where, line=line, found=found)


def _listed(value: Any) -> list[Any]:
    """The members of a list, which a log gives as its text; none where it is no list."""
    try:
        members = json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return []
    return members if isinstance(members, list) else []


def _strange(listed: list[Any], different: set[int], total: float | None) -> list[Any]:
    """Some of the members that are no index of a library of ``total`` samples."""
    odd = [one for one in listed if type(one) is not int] if len(different) < len(listed) else []
    first, last = min(different, default=0), max(different, default=0)
    beyond = [last] if total is not None and last >= total else []
    return odd[:1] + ([first] if first < 0 else []) + beyond
