"""Runs that were too short and nothing else: the only ones that may be made again.

LoadGen decides beforehand how many samples or queries a run has, from a rate that was expected. On
a machine that turns out faster they do not last for the minimum duration, which says nothing of
how good the run's numbers were. A run that is INVALID for its latency or by early stopping is not
one of them: to repeat that would be to wait for a lucky one.
"""

from __future__ import annotations

from collections.abc import Mapping

from audit.logs.loadgen_log import DetailLog
from audit.logs.log_entry import Entry
from audit.runs.invalid import CONDITIONS

LENGTH_SETTINGS: Mapping[str, str] = {
    "Offline": "target_qps",
    "SingleStream": "expected_latency_ns",
    "MultiStream": "expected_latency_ns",
}
"""The setting of a spec that decides how many samples or queries are made, and not how they are
measured. Server's decides both."""

_DURATION = "result_min_duration_met"
_RAN_OUT = ("error_runtime", "Ending early: Ran out of generated queries")
"""How LoadGen 6.0 logs, as an error, that SingleStream or MultiStream had no more queries: the key,
and how its text begins."""


def only_too_short(log: DetailLog) -> bool:
    """Whether the run was INVALID for its minimum duration, and for that alone."""
    unmet = [key for key in CONDITIONS if log.value(key) is False]
    return (
        log.value("effective_scenario") in LENGTH_SETTINGS
        and log.value("result_validity") == "INVALID"
        and unmet == [_DURATION]
        and all(_ran_out(entry) for entry in log.errors)
    )


def _ran_out(entry: Entry) -> bool:
    key, beginning = _RAN_OUT
    return entry.key == key and str(entry.value).startswith(beginning)
