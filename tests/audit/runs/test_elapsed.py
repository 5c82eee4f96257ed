"""A short run, too, can only be said to have taken the time that passed on the clock."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from audit.runs import elapsed
from tests.audit.written_logs import holding

SHORT: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "SingleStream": (
        "01.506",
        {"result_query_count": 164, "result_mean_latency_ns": 3_076_000},
    ),
    "MultiStream": (
        "01.502",
        {"result_query_count": 269, "result_mean_query_latency_ns": 1_855_000},
    ),
    "Server": (
        "01.805",
        {"result_query_count": 442, "result_completed_samples_per_sec": 548.258},
    ),
    "Offline": ("02.639", {"result_max_latency_ns": 1_639_881_834}),
    "long Offline": ("20.933", {"result_max_latency_ns": 19_932_800_000}),
}
"""By scenario when a short run that began at 1 s ended, and what LoadGen logged of it."""


def _short(which: str, factor: float) -> list[str]:
    """The rules that a short run breaks whose samples took ``factor`` times as long."""
    end, numbers = SHORT[which]
    changes = {
        key: value * factor if key.endswith("_ns") else value for key, value in numbers.items()
    }
    if "result_completed_samples_per_sec" in changes:
        changes["result_completed_samples_per_sec"] /= factor
    marks = {"power_begin": "12-01-2026 11:00:01.000", "power_end": f"12-01-2026 11:00:{end}"}
    log = holding({"effective_scenario": which.split()[-1], **changes, **marks})
    return [one.rule for one in elapsed.disagreements(log)]


@pytest.mark.parametrize("which", SHORT)
def test_a_short_run_that_loadgen_measured_takes_the_time_that_passed(which: str) -> None:
    assert _short(which, 1) == []


@pytest.mark.parametrize(
    ("which", "factor"),
    [
        ("SingleStream", 0.5),
        ("MultiStream", 0.5),
        ("Server", 0.8),
        ("Offline", 0.8),
        ("long Offline", 1 / 1.06),
        *((which, 1.06) for which in SHORT),
    ],
)
def test_a_short_run_can_not_be_said_to_have_taken_another_time(which: str, factor: float) -> None:
    assert _short(which, factor) == ["metric.elapsed"]
